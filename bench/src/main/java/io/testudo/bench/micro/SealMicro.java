package io.testudo.bench.micro;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.testudo.crypto.Seal;
import io.testudo.crypto.SealContext;
import io.testudo.crypto.SealKind;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.crypto.SigningKey;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Seals on a statement of 128 bytes, made and checked, by a shared key and by a signature. */
@State(Scope.Thread)
public class SealMicro {
  private static final int BODY_BYTES = 128;
  private static final SecretBytes SECRET =
      SecretBytes.copyOf("thirty-two bytes for measuring!!".getBytes(US_ASCII));

  private final SealContext context = new SealContext(SealKind.PROPOSE, "micro", "counter");
  private final byte[] body = new byte[BODY_BYTES];
  private final SigningKey key = SigningKey.fromSeed(SECRET);
  private final Sealer hmac = Sealer.hmac(SECRET);
  private final Sealer ed25519 = Sealer.ed25519(key, 1);
  private final SealVerifier hmacVerifier = SealVerifier.hmac(List.of(SECRET));
  private final SealVerifier ed25519Verifier = SealVerifier.ed25519(List.of(key.verifyingKey()));
  private final Seal hmacSeal = hmac.seal(context, body);
  private final Seal ed25519Seal = ed25519.seal(context, body);

  /** For JMH. */
  public SealMicro() {
    Arrays.fill(body, (byte) 7);
  }

  @Benchmark
  public Seal sealHmac() {
    return hmac.seal(context, body);
  }

  @Benchmark
  public boolean verifyHmac() {
    return hmacVerifier.verify(context, body, hmacSeal);
  }

  @Benchmark
  public Seal sealEd25519() {
    return ed25519.seal(context, body);
  }

  @Benchmark
  public boolean verifyEd25519() {
    return ed25519Verifier.verify(context, body, ed25519Seal);
  }
}
