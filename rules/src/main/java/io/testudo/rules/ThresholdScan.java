package io.testudo.rules;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.Tree.Kind;
import com.sun.source.tree.UnaryTree;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds arithmetic on the number of faulty servers outside the package that owns every threshold. A
 * bound that is computed at a place of its own is how two protocols come to disagree on a quorum.
 *
 * <p>Sources are parsed, not resolved, so a fault bound is known by its name: an identifier, a
 * field or a call without arguments of one of {@link #FAULT_BOUNDS}, also behind parentheses,
 * casts, signs and either branch of a conditional. {@link Operands} says what is not counted:
 * variables declared as bytes, characters or text in the same file, and sums that are text.
 * Something else that happens to have such a name (a loop variable {@code b}) needs a name that
 * says what it is.
 */
final class ThresholdScan {
  /** Names that stand for how many servers may fail or lie. */
  static final Set<String> FAULT_BOUNDS =
      Set.of("b", "f", "byzantine", "faults", "getByzantine", "crashes");

  private static final Set<Kind> ARITHMETIC =
      EnumSet.of(Kind.PLUS, Kind.MINUS, Kind.MULTIPLY, Kind.DIVIDE);

  private static final Set<Kind> ARITHMETIC_ASSIGNMENT =
      EnumSet.of(
          Kind.PLUS_ASSIGNMENT,
          Kind.MINUS_ASSIGNMENT,
          Kind.MULTIPLY_ASSIGNMENT,
          Kind.DIVIDE_ASSIGNMENT);

  private static final Set<Kind> STEP =
      EnumSet.of(
          Kind.PREFIX_INCREMENT,
          Kind.PREFIX_DECREMENT,
          Kind.POSTFIX_INCREMENT,
          Kind.POSTFIX_DECREMENT);

  /** Calls that are an operator by another name. */
  private static final Set<String> ARITHMETIC_CALLS =
      Set.of(
          "addExact",
          "subtractExact",
          "multiplyExact",
          "incrementExact",
          "decrementExact",
          "floorDiv",
          "ceilDiv",
          "checkedAdd",
          "checkedSubtract",
          "checkedMultiply");

  /** The one package in which thresholds are computed. */
  private final String home;

  ThresholdScan(String home) {
    this.home = home;
  }

  List<String> breaches(ParsedSource source) {
    if (source.packageName().equals(home)) {
      return List.of();
    }
    Scanner scanner = new Scanner(source);
    scanner.scan(source.unit(), null);
    return scanner.breaches;
  }

  private final class Scanner extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private final ParsedSource source;
    private final List<String> breaches = new ArrayList<>();

    Scanner(ParsedSource source) {
      this.source = source;
    }

    @Override
    public @Nullable Void visitBinary(BinaryTree sum, @Nullable Void unused) {
      Operands operands = new Operands(getCurrentPath());
      boolean isText = sum.getKind() == Kind.PLUS && operands.isText(sum);
      if (ARITHMETIC.contains(sum.getKind()) && !isText) {
        report(sum, operands, sum.getLeftOperand(), sum.getRightOperand());
      }
      if (sum.getKind() == Kind.LEFT_SHIFT) {
        // b << 1 is 2 * b; but 1 << b picks a bit.
        report(sum, operands, sum.getLeftOperand());
      }
      return super.visitBinary(sum, null);
    }

    @Override
    public @Nullable Void visitCompoundAssignment(
        CompoundAssignmentTree assignment, @Nullable Void unused) {
      Operands operands = new Operands(getCurrentPath());
      boolean isText =
          operands.isText(assignment.getVariable()) || operands.isText(assignment.getExpression());
      if (ARITHMETIC_ASSIGNMENT.contains(assignment.getKind()) && !isText) {
        report(assignment, operands, assignment.getVariable(), assignment.getExpression());
      }
      return super.visitCompoundAssignment(assignment, null);
    }

    @Override
    public @Nullable Void visitUnary(UnaryTree step, @Nullable Void unused) {
      if (STEP.contains(step.getKind())) {
        report(step, new Operands(getCurrentPath()), step.getExpression());
      }
      return super.visitUnary(step, null);
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void unused) {
      if (ARITHMETIC_CALLS.contains(Operands.calledName(call))) {
        report(
            call,
            new Operands(getCurrentPath()),
            call.getArguments().toArray(ExpressionTree[]::new));
      }
      return super.visitMethodInvocation(call, null);
    }

    private void report(Tree place, Operands known, ExpressionTree... operands) {
      for (ExpressionTree operand : operands) {
        if (known.isNamedAmong(FAULT_BOUNDS, operand)) {
          breaches.add(
              source.place(place)
                  + " computes '"
                  + place
                  + "': ask QuorumSystem for the threshold (package "
                  + home
                  + "), or choose another name if this is no bound on faults");
          return;
        }
      }
    }
  }
}
