package io.testudo.node.setup;

import io.testudo.crypto.ProtectedFile;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** How the files of a cluster are written, and rights changed in them. */
final class SetupFiles {
  private SetupFiles() {}

  interface Writing {
    void write(Path file) throws IOException;
  }

  /** In one step. */
  static void replace(Path file, Writing writing) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(next);
    writing.write(next);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  static Path newDirectory(Path path) throws IOException {
    return Files.createDirectory(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  static void writeText(Path file, String text) throws IOException {
    ProtectedFile.writePublic(file, text.getBytes(StandardCharsets.UTF_8));
  }

  static Rights with(Rights before, String principal, List<Grant> grants) {
    List<Grant> all = new ArrayList<>(grantsBut(before, principal));
    all.addAll(grants);
    List<String> principals = new ArrayList<>(before.principals());
    principals.add(principal);
    return Rights.of(all, principals);
  }

  static Rights without(Rights before, String principal) {
    List<String> principals = new ArrayList<>(before.principals());
    principals.remove(principal);
    return Rights.of(grantsBut(before, principal), principals);
  }

  private static List<Grant> grantsBut(Rights rights, String principal) {
    return rights.principals().stream()
        .filter(known -> !known.equals(principal))
        .flatMap(known -> rights.grantsOf(known).stream())
        .toList();
  }
}
