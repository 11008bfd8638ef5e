package io.testudo.node;

import java.util.concurrent.Callable;

/**
 * One command of {@code testudo}: a class annotated with picocli's {@code @Command} and found by
 * {@link java.util.ServiceLoader}, so that other modules can add commands that this one does not
 * know.
 *
 * <p>{@code call} returns an exit code, {@link ExitCode#OK} or {@link ExitCode#FAILED}; it throws
 * {@link CommandException} for what the user can mend, {@link CommandException#usage(String)} if
 * that is the command line. Results go through {@link Output}. The options {@code --help} and
 * {@code --debug} are there already.
 */
public interface Subcommand extends Callable<Integer> {}
