package io.testudo.node.examination;

import io.testudo.client.inquiry.Interviewer.Heard;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Report;
import java.util.Optional;

/** Asks one server for an object that nobody has made; such a question makes nothing. */
final class ObjectExamination {
  private final Scene scene;

  ObjectExamination(Scene scene) {
    this.scene = scene;
  }

  void examine() throws InterruptedException {
    for (Conversation session : new Conversation[] {scene.first, scene.second}) {
      String name = scene.newName();
      long nonce = Scene.nonce();
      Heard heard =
          scene.ask(
              session,
              name,
              new Get(name, nonce, Rank.NONE, Optional.empty(), Optional.empty(), false),
              message ->
                  message instanceof Report report
                      && report.object().equals(name)
                      && report.nonce() == nonce);
      if (heard == null || !(heard.message() instanceof Report report)) {
        return;
      }
      boolean isEmpty =
          report.proposed().isEmpty()
              && report.committed().isEmpty()
              && report.pending().isEmpty()
              && report.entries().isEmpty();
      if (!isEmpty) {
        scene.lies(
            "shows %s of the object '%s', a name that nobody else was told"
                .formatted(report.pending().isEmpty() ? "a state" : "pending operations", name));
      }
    }
  }
}
