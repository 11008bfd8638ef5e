package io.testudo.rules;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.util.List;
import java.util.TreeMap;

/** No simple name twice: whoever reads one should not have to look up which of them is meant. */
final class NameScan {
  private NameScan() {}

  static List<String> breaches(List<ParsedSource> sources) {
    TreeMap<String, List<String>> packages =
        sources.stream()
            .filter(source -> !source.packageName().isEmpty() && !source.isPackageInfo())
            .collect(
                groupingBy(
                    ParsedSource::simpleName,
                    TreeMap::new,
                    mapping(ParsedSource::packageName, toList())));
    return packages.entrySet().stream()
        .filter(name -> name.getValue().size() > 1)
        .map(name -> name.getKey() + " is in " + String.join(" and in ", name.getValue()))
        .toList();
  }
}
