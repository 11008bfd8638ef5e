package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KdfTest {
  private final SecretBytes parent = Keys.secret(1);

  @Test
  void keepsItsEncodingForEver() {
    assertThat(Keys.hex(Kdf.derive(parent, "server", Keys.utf8("s1"), new byte[0]).copy()))
        .isEqualTo("0ab63a0c568a4f9919deea26f355cae10d5ddec9941a6674a1a1726230b15d3e");
  }

  @Test
  void sameNameGivesTheSameChild() {
    assertThat(Kdf.derive(parent, "server", Keys.utf8("s1")))
        .isEqualTo(Kdf.derive(Keys.secret(1), "server", Keys.utf8("s1")));
  }

  @Test
  void everyDifferenceGivesAnotherChild() {
    List<SecretBytes> children = new ArrayList<>();
    children.add(parent);
    children.add(Kdf.derive(parent, "ab"));
    children.add(Kdf.derive(parent, "ab", new byte[0]));
    children.add(Kdf.derive(parent, "ab", new byte[0], new byte[0]));
    children.add(Kdf.derive(parent, "ab", Keys.utf8("cd")));
    children.add(Kdf.derive(parent, "abc", Keys.utf8("d")));
    children.add(Kdf.derive(parent, "a", Keys.utf8("bcd")));
    children.add(Kdf.derive(parent, "abcd"));
    children.add(Kdf.derive(parent, "ab", Keys.utf8("c"), Keys.utf8("d")));
    children.add(Kdf.derive(parent, "ab", Keys.utf8("d"), Keys.utf8("c")));
    children.add(Kdf.derive(parent, "ab", Keys.utf8("c\0\1d")));
    children.add(Kdf.derive(Keys.secret(2), "ab", Keys.utf8("cd")));
    assertThat(children).doesNotHaveDuplicates();
  }

  @Test
  void noLabelOfACallerMeetsThePackagesOwnChildren() {
    for (String label : List.of("key-id", "seal-hmac")) {
      assertThat(Kdf.derive(parent, label).copy()).isNotEqualTo(Kdf.deriveOwn(parent, label));
    }
  }

  @Test
  void refusesNamesOutOfBounds() {
    assertThatThrownBy(() -> Kdf.derive(parent, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The label of the derived key is 0 bytes long in UTF-8; use 1 to 64.");
    assertThatThrownBy(() -> Kdf.derive(parent, "x".repeat(65)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Kdf.derive(parent, "x", new byte[1025]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A context part of a derived key has 1025 bytes; use at most 1024.");
    assertThatThrownBy(() -> Kdf.derive(parent, "x", new byte[9][1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The context of a derived key has 9 parts; use at most 8.");
    assertThat(Kdf.derive(parent, "x".repeat(64), new byte[8][1024]).length()).isEqualTo(32);
  }
}
