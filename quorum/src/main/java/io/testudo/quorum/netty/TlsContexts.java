package io.testudo.quorum.netty;

import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.testudo.crypto.TlsIdentity;
import io.testudo.crypto.TrustedAuthorities;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** Mutual TLS 1.3 that trusts the cluster's authorities; boringssl where it loads, else the JDK. */
final class TlsContexts {
  private static final String VERSION = "TLSv1.3";
  private static final SslProvider PROVIDER =
      OpenSsl.isAvailable() && SslProvider.isTlsv13Supported(SslProvider.OPENSSL)
          ? SslProvider.OPENSSL
          : SslProvider.JDK;

  private TlsContexts() {}

  static SslContext server(TlsIdentity self, TrustedAuthorities authorities) {
    return build(
        SslContextBuilder.forServer(self.key(), self.certificate()).clientAuth(ClientAuth.REQUIRE),
        authorities);
  }

  static SslContext client(TlsIdentity self, TrustedAuthorities authorities) {
    return build(
        SslContextBuilder.forClient()
            .keyManager(self.key(), self.certificate())
            // The certificate must name the cluster and the server, or be that of a member, which
            // is known by its principal: more than a host name says.
            .endpointIdentificationAlgorithm(""),
        authorities);
  }

  private static SslContext build(SslContextBuilder builder, TrustedAuthorities authorities) {
    try {
      return builder
          .sslProvider(PROVIDER)
          .protocols(VERSION)
          .trustManager(authorities.certificates())
          .build();
    } catch (SSLException e) {
      throw new IllegalArgumentException(
          "TLS does not take this certificate and key; issue them anew.", e);
    }
  }

  /** The certificate that the other end has shown; TLS has checked who signed it. */
  static X509Certificate peer(Channel channel) throws SSLPeerUnverifiedException {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls != null) {
      Certificate[] chain = tls.engine().getSession().getPeerCertificates();
      if (chain.length > 0 && chain[0] instanceof X509Certificate certificate) {
        return certificate;
      }
    }
    throw new SSLPeerUnverifiedException("the peer has shown no certificate");
  }

  /** The same, or null if it has shown none. */
  static @Nullable X509Certificate shown(Channel channel) {
    try {
      return peer(channel);
    } catch (SSLPeerUnverifiedException e) {
      return null;
    }
  }

  /** Whether one of these authorities vouches for what the other end has shown. */
  static boolean isOf(TrustedAuthorities authorities, Channel channel) {
    X509Certificate shown = shown(channel);
    return shown != null && authorities.haveIssued(shown);
  }

  /** As a reason to refuse a connection. */
  static SSLException refused(Exception cause) {
    return new SSLException(cause.getMessage(), cause);
  }
}
