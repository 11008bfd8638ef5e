package io.testudo.rules;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.Tree.Kind;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreeScanner;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What can be known of an operand without resolving names. A variable's type is looked up among the
 * declarations of the enclosing lambdas and methods and then of the enclosing classes. Blocks are
 * not told apart: only if all declarations of that name in the method agree is the type known.
 */
final class Operands {
  /** Types of data, which may be called b without being a bound on faults. */
  private static final Set<String> DATA = Set.of("byte", "Byte", "char", "Character", "boolean");

  private static final Set<String> TEXT = Set.of("String", "CharSequence");

  /** Calls that return text, whoever they are made on. */
  private static final Set<String> TEXT_CALLS = Set.of("toString", "format", "formatted", "join");

  private final TreePath path;

  /**
   * @param path leads to the expression that has the operands
   */
  Operands(TreePath path) {
    this.path = path;
  }

  /** Whether the operand is a number of one of these names. */
  boolean isNamedAmong(Set<String> names, ExpressionTree operand) {
    if (operand instanceof ParenthesizedTree inner) {
      return isNamedAmong(names, inner.getExpression());
    }
    if (operand instanceof TypeCastTree cast) {
      return isNamedAmong(names, cast.getExpression());
    }
    if (operand.getKind() == Kind.UNARY_MINUS || operand.getKind() == Kind.UNARY_PLUS) {
      return isNamedAmong(names, ((UnaryTree) operand).getExpression());
    }
    if (operand instanceof ConditionalExpressionTree choice) {
      return isNamedAmong(names, choice.getTrueExpression())
          || isNamedAmong(names, choice.getFalseExpression());
    }
    if (operand instanceof IdentifierTree identifier) {
      String name = identifier.getName().toString();
      return names.contains(name) && !isDeclaredAs(name, DATA) && !isDeclaredAs(name, TEXT);
    }
    if (operand instanceof MemberSelectTree field) {
      return names.contains(field.getIdentifier().toString());
    }
    return operand instanceof MethodInvocationTree call
        && call.getArguments().isEmpty()
        && names.contains(calledName(call));
  }

  private boolean isDeclaredAs(String name, Set<String> types) {
    Set<String> declared = declaredTypes(name);
    return !declared.isEmpty() && types.containsAll(declared);
  }

  /**
   * Whether the expression is text, so that adding to it concatenates. {@code b + 1 + " servers"}
   * is text, but the {@code b + 1} in it is a sum of its own, and numbers.
   */
  boolean isText(ExpressionTree expression) {
    if (expression.getKind() == Kind.STRING_LITERAL) {
      return true;
    }
    if (expression instanceof ParenthesizedTree inner) {
      return isText(inner.getExpression());
    }
    if (expression instanceof ConditionalExpressionTree choice) {
      return isText(choice.getTrueExpression()) || isText(choice.getFalseExpression());
    }
    if (expression instanceof BinaryTree sum) {
      return sum.getKind() == Kind.PLUS
          && (isText(sum.getLeftOperand()) || isText(sum.getRightOperand()));
    }
    if (expression instanceof IdentifierTree identifier) {
      return isDeclaredAs(identifier.getName().toString(), TEXT);
    }
    return expression instanceof MethodInvocationTree call
        && (TEXT_CALLS.contains(calledName(call))
            || call.getMethodSelect().toString().equals("String.valueOf"));
  }

  static String calledName(MethodInvocationTree call) {
    ExpressionTree method = call.getMethodSelect();
    return method instanceof MemberSelectTree select
        ? select.getIdentifier().toString()
        : method.toString();
  }

  /** The types of all declarations of the name in the nearest scope that has one. */
  private Set<String> declaredTypes(String name) {
    for (Tree scope : path) {
      Set<String> types = new HashSet<>();
      if (scope instanceof MethodTree || scope instanceof LambdaExpressionTree) {
        new TreeScanner<@Nullable Void, @Nullable Void>() {
          @Override
          public @Nullable Void visitVariable(VariableTree variable, @Nullable Void unused) {
            addIfNamed(name, variable, types);
            return super.visitVariable(variable, null);
          }
        }.scan(scope, null);
      } else if (scope instanceof ClassTree owner) {
        for (Tree member : owner.getMembers()) {
          if (member instanceof VariableTree field) {
            addIfNamed(name, field, types);
          }
        }
      }
      if (!types.isEmpty()) {
        return types;
      }
    }
    return Set.of();
  }

  /** Adds the type as written, or nothing readable where it is left to inference. */
  private static void addIfNamed(String name, VariableTree variable, Set<String> types) {
    if (variable.getName().contentEquals(name)) {
      types.add(variable.getType() == null ? "" : variable.getType().toString());
    }
  }
}
