package io.testudo.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NameScanTest {
  @Test
  void findsANameThatTwoPackagesUse() {
    assertThat(
            NameScan.breaches(
                List.of(
                    ParsedSource.parse("module-info.java", "module one { }"),
                    ParsedSource.parse("one/package-info.java", "package one;"),
                    ParsedSource.parse("one/Plan.java", "package one; class Plan { }"),
                    ParsedSource.parse("one/Other.java", "package one; class Other { }"),
                    ParsedSource.parse("module-info.java", "module two { }"),
                    ParsedSource.parse("two/package-info.java", "package two;"),
                    ParsedSource.parse("two/Plan.java", "package two; class Plan { }"))))
        .containsExactly("Plan is in one and in two");
  }
}
