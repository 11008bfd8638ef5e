package io.testudo.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A rule that looks at one class at a time. A house without classes keeps it. */
final class EachClass extends ArchCondition<JavaClass> {
  private final BiConsumer<JavaClass, Consumer<String>> check;

  private EachClass(String description, BiConsumer<JavaClass, Consumer<String>> check) {
    super(description);
    this.check = check;
  }

  /**
   * @param should completes "classes should ..."
   * @param check given a class, tells its second argument every breach, one sentence each
   */
  static ArchRule should(
      String should, String because, BiConsumer<JavaClass, Consumer<String>> check) {
    return classes().should(new EachClass(should, check)).because(because).allowEmptyShould(true);
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    check.accept(type, breach -> events.add(SimpleConditionEvent.violated(type, breach)));
  }
}
