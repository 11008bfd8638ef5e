package io.testudo.quorum.cluster;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.primitives.Ints;
import io.testudo.crypto.VerifyingKey;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads a cluster file strictly, one statement a line; every error names its line. */
final class ClusterFileParser {
  private static final Splitter WORDS = Splitter.on(' ');
  private static final CharMatcher HEX_DIGITS = CharMatcher.anyOf("0123456789abcdef");
  private static final String EVERYTHING = "everything";
  private static final String PREFIX = "prefix ";

  private final String source;
  private int lineNumber;
  private @Nullable String name;
  private @Nullable SecurityMode security;
  private @Nullable Integer byzantine;
  private @Nullable KeyEpochs epochs;
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final List<Grant> grants = new ArrayList<>();
  private final Set<String> principals = new TreeSet<>();
  private final Map<String, VerifyingKey> signingKeys = new TreeMap<>();

  ClusterFileParser(String source) {
    this.source = source;
  }

  ClusterDescription parse(String text) throws ClusterFileException {
    for (String line : Splitter.on('\n').split(text)) {
      lineNumber++;
      try {
        take(line);
      } catch (IllegalArgumentException e) {
        // The words of whoever judges the value: a name, an endpoint, a grant.
        throw new ClusterFileException(
            "%s, line %s: %s".formatted(source, lineNumber, e.getMessage()), e);
      }
    }
    try {
      return new ClusterDescription(
          stated(name, "name demo"),
          stated(security, "security hmac"),
          stated(byzantine, "byzantine 1"),
          ImmutableList.copyOf(endpoints),
          Rights.of(grants, principals),
          epochs == null ? KeyEpochs.FIRST : epochs,
          ImmutableSortedMap.copyOf(signingKeys));
    } catch (IllegalArgumentException e) {
      throw new ClusterFileException("%s: %s".formatted(source, e.getMessage()), e);
    }
  }

  private void take(String line) throws ClusterFileException {
    if (line.length() > ClusterFile.MAX_LINE_LENGTH) {
      throw wrong(
          "the line is longer than %s characters; shorten it"
              .formatted(ClusterFile.MAX_LINE_LENGTH));
    }
    if (lineNumber == 1) {
      if (!line.equals(ClusterFile.FIRST_LINE)) {
        throw wrong(
            "the first line must be '%s'; name a cluster file".formatted(ClusterFile.FIRST_LINE));
      }
      return;
    }
    if (line.isEmpty() || line.charAt(0) == '#') {
      return;
    }
    int blank = line.indexOf(' ');
    String keyword = blank < 0 ? line : line.substring(0, blank);
    String rest = blank < 0 ? "" : line.substring(blank + 1);
    switch (keyword) {
      case "name" -> takeName(rest);
      case "security" -> takeSecurity(rest);
      case "byzantine" -> takeByzantine(rest);
      case "epochs" -> takeEpochs(rest);
      case "server" -> takeServer(rest);
      case "principal" -> takePrincipal(rest);
      case "grant" -> takeGrant(rest);
      case "signing-key" -> takeSigningKey(rest);
      default ->
          throw wrong(
              "a line starts with name, security, byzantine, epochs, server, principal, grant,"
                  + " signing-key or #; correct it");
    }
  }

  private void takeName(String rest) throws ClusterFileException {
    requireFirst(name, "name");
    name = ClusterNames.check(rest);
  }

  private void takeSecurity(String rest) throws ClusterFileException {
    requireFirst(security, "security");
    security =
        SecurityMode.named(rest)
            .orElseThrow(() -> wrong("security is hmac, tls or open; write one of them"));
  }

  private void takeByzantine(String rest) throws ClusterFileException {
    requireFirst(byzantine, "byzantine");
    byzantine = number(rest, "byzantine is how many servers may lie, such as 'byzantine 1'");
  }

  private void takeEpochs(String rest) throws ClusterFileException {
    requireFirst(epochs, "epochs");
    epochs = KeyEpochs.parse(rest);
  }

  private void takeServer(String rest) throws ClusterFileException {
    List<String> words = WORDS.splitToList(rest);
    if (words.size() != 3) {
      throw wrong("write a server as 'server s0 HOST PORT', with single blanks");
    }
    if (endpoints.size() == ServerId.MAX_SERVERS) {
      throw wrong("a cluster has at most %s servers; remove some".formatted(ServerId.MAX_SERVERS));
    }
    ServerId next = new ServerId(endpoints.size());
    if (!words.get(0).equals(next.toString())) {
      throw wrong("the next server must be %s; number them without gaps, from s0".formatted(next));
    }
    int port = number(words.get(2), "a port is a number from 1 to 65535; correct it");
    endpoints.add(new Endpoint(words.get(1), port));
  }

  private void takePrincipal(String rest) throws ClusterFileException {
    String principal = new ClientId(rest, 0, 0).principal();
    if (!principals.add(principal)) {
      throw wrong("the principal was named before; remove one line");
    }
    if (principals.size() > Rights.MAX_PRINCIPALS) {
      throw wrong(
          "a cluster has at most %s principals; remove some".formatted(Rights.MAX_PRINCIPALS));
    }
  }

  private void takeGrant(String rest) throws ClusterFileException {
    List<String> words = WORDS.limit(3).splitToList(rest);
    if (words.size() != 3) {
      throw wrongGrant();
    }
    Grant grant = Grant.of(words.get(0), rights(words.get(1)), prefix(words.get(2)));
    if (grants.size() == Rights.MAX_GRANTS) {
      throw wrong("a cluster has at most %s grants; remove some".formatted(Rights.MAX_GRANTS));
    }
    grants.add(grant);
  }

  private void takeSigningKey(String rest) throws ClusterFileException {
    List<String> words = WORDS.splitToList(rest);
    if (words.size() != 2 || !HEX_DIGITS.matchesAllOf(words.get(1))) {
      throw wrong("write a signing key as 'signing-key NAME KEY', the key in hexadecimal");
    }
    String principal = new ClientId(words.get(0), 0, 0).principal();
    if (signingKeys.size() == Rights.MAX_PRINCIPALS) {
      throw wrong(
          "a cluster has at most %s principals; remove some".formatted(Rights.MAX_PRINCIPALS));
    }
    VerifyingKey key = VerifyingKey.fromBytes(HexFormat.of().parseHex(words.get(1)));
    if (signingKeys.put(principal, key) != null) {
      throw wrong("the principal has a signing key already; remove one line");
    }
  }

  private Set<Right> rights(String list) throws ClusterFileException {
    Set<Right> rights = EnumSet.noneOf(Right.class);
    for (String word : Splitter.on(',').split(list)) {
      Right right =
          Right.named(word)
              .orElseThrow(
                  () ->
                      wrong(
                          "rights are lock, read, submit, order and administer, with commas;"
                              + " correct them"));
      if (!rights.add(right)) {
        throw wrong("the right %s is named twice; remove one".formatted(right.rightName()));
      }
    }
    return rights;
  }

  private String prefix(String scope) throws ClusterFileException {
    // Every name is said in words: a prefix that someone forgot must not grant everything.
    if (scope.equals(EVERYTHING)) {
      return "";
    }
    if (!scope.startsWith(PREFIX) || scope.length() == PREFIX.length()) {
      throw wrongGrant();
    }
    return scope.substring(PREFIX.length());
  }

  private ClusterFileException wrongGrant() {
    return wrong(
        "write a grant as 'grant PRINCIPAL RIGHTS prefix PREFIX'"
            + " or 'grant PRINCIPAL RIGHTS everything'");
  }

  private int number(String word, String otherwise) throws ClusterFileException {
    Integer number = Ints.tryParse(word);
    // Only one spelling: no sign, no zeros in front.
    if (number == null || number < 0 || !Integer.toString(number).equals(word)) {
      throw wrong(otherwise);
    }
    return number;
  }

  private void requireFirst(@Nullable Object earlier, String keyword) throws ClusterFileException {
    if (earlier != null) {
      throw wrong("%s was stated before; remove one line".formatted(keyword));
    }
  }

  private <T> T stated(@Nullable T value, String example) throws ClusterFileException {
    if (value == null) {
      throw new ClusterFileException(
          "%s: a statement is missing; add a line such as '%s'.".formatted(source, example));
    }
    return value;
  }

  private ClusterFileException wrong(String what) {
    return new ClusterFileException("%s, line %s: %s.".formatted(source, lineNumber, what));
  }
}
