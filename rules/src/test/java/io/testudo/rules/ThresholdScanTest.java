package io.testudo.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThresholdScanTest {
  private static final ThresholdScan SCAN = new ThresholdScan("io.testudo.quorum");

  private static List<String> scan(String packageName, String statement) {
    String source =
        """
        package %s;

        class Example {
          private final int b = 1;
          private final byte f = 1;

          void run(Cluster cluster, int n, byte[] bytes, String text, Object any) {
            %s
          }
        }
        """;
    return SCAN.breaches(
        ParsedSource.parse("Example.java", source.formatted(packageName, statement)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int q = 2 * b + 1;",
        "int q = 1 + 2 * b;",
        "int q = 1 + (b) * 2;",
        "int q = (n + b) / 2;",
        "int q = n - this.b;",
        "int q = cluster.b() + 1;",
        "int q = 3 * cluster.system().byzantine;",
        "int q = n - cluster.faults();",
        "int q = cluster.getByzantine() * 2;",
        "int q = getByzantine() * 2;",
        "int q = n / crashes;",
        "int q = n + -b;",
        "long q = 2 * (long) b;",
        "int q = 2 * (n > 3 ? b : 0);",
        "int q = b << 1;",
        "int q = Math.addExact(b, 1);",
        "n += b;",
        "n -= cluster.b();",
        "b *= 2;",
        "b++;",
        "--b;",
        "boolean enough = n >= 2 * b + 1;",
        "call(b + 1);",
        "String said = b + 1 + \" servers\";",
        "String said = \"at least \" + (b + 1);",
        "for (byte b : bytes) { n ^= b; } for (int b = 0; b < n; b += 2) { call(b); }",
        "Function<Integer, Integer> q = b -> b + 1;",
      })
  void catchesArithmeticOnAFaultBound(String statement) {
    assertThat(scan("io.testudo.mutex.sigma", statement)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int q = cluster.quorum() + 1;",
        "boolean enough = n > b;",
        "boolean odd = (b & 1) == 1;",
        "call(b);",
        "int bit = 1 << b;",
        "int q = 2 * bytes.length;",
        "int q = n - cluster.faults(n);",
        "String said = \"b=\" + b;",
        "String said = b + \" servers\";",
        "String said = \"n=\" + n + \", b=\" + b;",
        "String said = (\"b=\" + b) + cluster.byzantine();",
        "String said = text + b;",
        "text += b;",
        "String said = any.toString() + b;",
        "String said = String.valueOf(n) + b;",
        "String said = (n > 1 ? \"s\" : \"\") + b;",
        "for (byte b : bytes) { n ^= b & 0xff; }",
        "for (byte b : bytes) { n = 31 * n + b; }",
        "int low = f + 1;",
        "char b = text.charAt(0); int digit = b - '0';",
      })
  void letsOtherUsesPass(String statement) {
    assertThat(scan("io.testudo.mutex.sigma", statement)).isEmpty();
  }

  @Test
  void letsTheHomeOfThresholdsCompute() {
    assertThat(scan("io.testudo.quorum", "int q = 2 * b + 1;")).isEmpty();
  }

  @Test
  void doesNotTakeASubpackageForTheHome() {
    assertThat(scan("io.testudo.quorum.sim", "int q = 2 * b + 1;")).isNotEmpty();
  }

  @Test
  void looksIntoRecordsLambdasAndFieldInitializers() {
    ParsedSource source =
        ParsedSource.parse(
            "Example.java",
            """
            package io.testudo.node;

            record Example(int n, int b) {
              static final IntUnaryOperator NEED = faults -> 3 * faults;

              int spare() {
                return n - b;
              }
            }
            """);
    assertThat(SCAN.breaches(source)).hasSize(2);
  }

  @Test
  void namesThePlaceAndTheWayOut() {
    assertThat(scan("io.testudo.node", "int q = 2 * b;"))
        .singleElement()
        .asString()
        .contains("Example.java:8", "2 * b", "ask QuorumSystem", "choose another name");
  }
}
