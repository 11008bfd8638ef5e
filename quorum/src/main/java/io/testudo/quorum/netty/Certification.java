package io.testudo.quorum.netty;

import io.testudo.crypto.TrustedAuthorities;
import java.security.cert.X509Certificate;

/**
 * By which certificate a process shows who it is, and whose certificates it takes.
 *
 * @param authorities that vouch for all others
 * @param own what it shows
 */
public record Certification(TrustedAuthorities authorities, X509Certificate own) {}
