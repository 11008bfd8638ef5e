package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** RFC 5869, appendix A, the cases with SHA-256. */
class HkdfTest {
  @Test
  void matchesPublishedVectorOfBasicCase() {
    byte[] extracted = Hkdf.extract(Keys.countingUp(0, 13), Keys.repeated(0x0b, 22));
    assertThat(Keys.hex(extracted))
        .isEqualTo("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
    assertThat(Keys.hex(Hkdf.expand(extracted, Keys.countingUp(0xf0, 10), 42)))
        .isEqualTo(
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
  }

  @Test
  void matchesPublishedVectorOfLongInputs() {
    byte[] extracted = Hkdf.extract(Keys.countingUp(0x60, 80), Keys.countingUp(0, 80));
    assertThat(Keys.hex(extracted))
        .isEqualTo("06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244");
    assertThat(Keys.hex(Hkdf.expand(extracted, Keys.countingUp(0xb0, 80), 82)))
        .isEqualTo(
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c"
                + "65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87");
  }

  @Test
  void matchesPublishedVectorWithoutSaltAndInfo() {
    byte[] extracted = Hkdf.extract(new byte[32], Keys.repeated(0x0b, 22));
    assertThat(Keys.hex(extracted))
        .isEqualTo("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04");
    assertThat(Keys.hex(Hkdf.expand(extracted, new byte[0], 42)))
        .isEqualTo(
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
  }

  @Test
  void givesUpToItsMaximum() {
    byte[] key = Keys.countingUp(1, 32);
    assertThat(Hkdf.expand(key, new byte[0], Hkdf.MAX_OUTPUT_BYTES)).hasSize(8160);
    assertThat(Hkdf.expand(key, new byte[0], 1)).hasSize(1);
    for (int length : new int[] {-1, 0, Hkdf.MAX_OUTPUT_BYTES + 1}) {
      assertThatThrownBy(() -> Hkdf.expand(key, new byte[0], length))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("HKDF can't give " + length + " bytes; ask for 1 to 8160.");
    }
  }
}
