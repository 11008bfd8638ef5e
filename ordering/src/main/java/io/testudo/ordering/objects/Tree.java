package io.testudo.ordering.objects;

import java.util.Comparator;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map that is never changed: what changes it gives another one, which shares all but a few
 * nodes with it. So a large state costs little per operation. An AVL tree.
 */
final class Tree<K, V> {
  private final Comparator<? super K> order;
  private final @Nullable Node<K, V> root;

  private record Node<K, V>(
      K key,
      V value,
      @Nullable Node<K, V> left,
      @Nullable Node<K, V> right,
      int height,
      int size) {}

  private Tree(Comparator<? super K> order, @Nullable Node<K, V> root) {
    this.order = order;
    this.root = root;
  }

  static <K, V> Tree<K, V> empty(Comparator<? super K> order) {
    return new Tree<>(order, null);
  }

  int size() {
    return size(root);
  }

  @Nullable V get(K key) {
    Node<K, V> at = root;
    while (at != null) {
      int side = order.compare(key, at.key);
      if (side == 0) {
        return at.value;
      }
      at = side < 0 ? at.left : at.right;
    }
    return null;
  }

  /** How many keys are before this one. */
  int sizeBefore(K key) {
    int before = 0;
    Node<K, V> at = root;
    while (at != null) {
      if (order.compare(key, at.key) <= 0) {
        at = at.left;
      } else {
        before += size(at.left) + 1;
        at = at.right;
      }
    }
    return before;
  }

  Tree<K, V> with(K key, V value) {
    return new Tree<>(order, put(root, key, value));
  }

  Tree<K, V> without(K key) {
    return get(key) == null ? this : new Tree<>(order, remove(root, key));
  }

  void forEach(BiConsumer<? super K, ? super V> each) {
    forEach(root, each);
  }

  /** From a key on, in order, as long as the visitor wants more. */
  void forEachFrom(K from, Visitor<? super K, ? super V> visitor) {
    boolean unused = visitFrom(root, from, visitor);
  }

  /** Sees entries until it returns false. */
  @FunctionalInterface
  interface Visitor<K, V> {
    boolean visit(K key, V value);
  }

  private static <K, V> void forEach(
      @Nullable Node<K, V> at, BiConsumer<? super K, ? super V> each) {
    if (at != null) {
      forEach(at.left, each);
      each.accept(at.key, at.value);
      forEach(at.right, each);
    }
  }

  private boolean visitFrom(
      @Nullable Node<K, V> at, K from, Visitor<? super K, ? super V> visitor) {
    if (at == null) {
      return true;
    }
    int side = order.compare(from, at.key);
    if (side < 0 && !visitFrom(at.left, from, visitor)) {
      return false;
    }
    if (side <= 0 && !visitor.visit(at.key, at.value)) {
      return false;
    }
    return visitFrom(at.right, from, visitor);
  }

  private Node<K, V> put(@Nullable Node<K, V> at, K key, V value) {
    if (at == null) {
      return node(key, value, null, null);
    }
    int side = order.compare(key, at.key);
    if (side == 0) {
      return node(key, value, at.left, at.right);
    }
    return side < 0
        ? balanced(at.key, at.value, put(at.left, key, value), at.right)
        : balanced(at.key, at.value, at.left, put(at.right, key, value));
  }

  private @Nullable Node<K, V> remove(@Nullable Node<K, V> at, K key) {
    if (at == null) {
      return null;
    }
    int side = order.compare(key, at.key);
    if (side < 0) {
      return balanced(at.key, at.value, remove(at.left, key), at.right);
    } else if (side > 0) {
      return balanced(at.key, at.value, at.left, remove(at.right, key));
    }
    if (at.left == null || at.right == null) {
      return at.left == null ? at.right : at.left;
    }
    Node<K, V> next = at.right;
    while (next.left != null) {
      next = next.left;
    }
    return balanced(next.key, next.value, at.left, remove(at.right, next.key));
  }

  private static <K, V> Node<K, V> balanced(
      K key, V value, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
    int slope = height(left) - height(right);
    if (slope > 1 && left != null) {
      Node<K, V> inner = left.right;
      return inner == null || height(left.left) >= height(inner)
          ? node(left.key, left.value, left.left, node(key, value, inner, right))
          : node(
              inner.key,
              inner.value,
              node(left.key, left.value, left.left, inner.left),
              node(key, value, inner.right, right));
    }
    if (slope < -1 && right != null) {
      Node<K, V> inner = right.left;
      return inner == null || height(right.right) >= height(inner)
          ? node(right.key, right.value, node(key, value, left, inner), right.right)
          : node(
              inner.key,
              inner.value,
              node(key, value, left, inner.left),
              node(right.key, right.value, inner.right, right.right));
    }
    return node(key, value, left, right);
  }

  private static <K, V> Node<K, V> node(
      K key, V value, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
    return new Node<>(
        key,
        value,
        left,
        right,
        1 + Math.max(height(left), height(right)),
        1 + size(left) + size(right));
  }

  private static int height(@Nullable Node<?, ?> node) {
    return node == null ? 0 : node.height;
  }

  private static int size(@Nullable Node<?, ?> node) {
    return node == null ? 0 : node.size;
  }

  /** How many steps the longest way down has, for checks. */
  int height() {
    return height(root);
  }
}
