package io.testudo.ordering.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TreeTest {
  private static Map<Integer, Integer> contents(Tree<Integer, Integer> tree) {
    Map<Integer, Integer> contents = new LinkedHashMap<>();
    tree.forEach(contents::put);
    return contents;
  }

  /** Beside the JDK's own, and with all earlier trees kept: none of them may change. */
  @Test
  void doesWhatASortedMapDoesAndLeavesItsPastAlone() {
    Random random = new Random(7);
    Tree<Integer, Integer> tree = Tree.empty(Comparator.<Integer>naturalOrder());
    TreeMap<Integer, Integer> twin = new TreeMap<>();
    List<Tree<Integer, Integer>> past = new ArrayList<>();
    List<Map<Integer, Integer>> pastTwins = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      int key = random.nextInt(300);
      if (random.nextInt(3) == 0) {
        tree = tree.without(key);
        twin.remove(key);
      } else {
        tree = tree.with(key, i);
        twin.put(key, i);
      }
      assertThat(tree.size()).isEqualTo(twin.size());
      assertThat(tree.get(key)).isEqualTo(twin.get(key));
      assertThat(tree.sizeBefore(key)).isEqualTo(twin.headMap(key).size());
      if (i % 200 == 0) {
        past.add(tree);
        pastTwins.add(new LinkedHashMap<>(twin));
      }
    }
    assertThat(contents(tree).entrySet()).containsExactlyElementsOf(twin.entrySet());
    for (int i = 0; i < past.size(); i++) {
      assertThat(contents(past.get(i)).entrySet())
          .containsExactlyElementsOf(pastTwins.get(i).entrySet());
    }
    List<Integer> tail = new ArrayList<>();
    tree.forEachFrom(
        150,
        (key, value) -> {
          tail.add(key);
          return tail.size() < 20;
        });
    assertThat(tail)
        .containsExactlyElementsOf(twin.tailMap(150).keySet().stream().limit(20).toList());
  }

  @Test
  void staysFlatWhateverTheOrder() {
    Tree<Integer, Integer> tree = Tree.empty(Comparator.<Integer>naturalOrder());
    for (int i = 0; i < 1 << 14; i++) {
      tree = tree.with(i, i);
    }
    assertThat(tree.height()).isLessThan(22);
    for (int i = 0; i < (1 << 14) - 16; i++) {
      tree = tree.without(i);
    }
    assertThat(tree.size()).isEqualTo(16);
    assertThat(tree.height()).isLessThan(7);
  }
}
