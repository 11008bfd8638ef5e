package io.testudo.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.junit.jupiter.api.Test;

class FileTroubleTest {
  @Test
  void saysWhyAndNotOnlyWhere() {
    assertThat(FileTrouble.words(new NoSuchFileException("/a")))
        .isEqualTo("no such file or directory");
    assertThat(FileTrouble.words(new AccessDeniedException("/a"))).isEqualTo("permission denied");
    assertThat(FileTrouble.words(new NotDirectoryException("/a"))).isEqualTo("not a directory");
    assertThat(FileTrouble.words(new FileSystemException("/a", null, "No space left on device")))
        .isEqualTo("No space left on device");
    assertThat(FileTrouble.words(new IOException("broken pipe"))).isEqualTo("broken pipe");
  }
}
