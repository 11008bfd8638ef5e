package io.testudo.mutex.dht.wire;

import static io.testudo.mutex.dht.wire.CommonParts.NAMED_BYTES;
import static io.testudo.mutex.dht.wire.CommonParts.QUEUE_BYTES;
import static io.testudo.mutex.dht.wire.CommonParts.REPLICA;
import static io.testudo.mutex.dht.wire.CommonParts.REQUEST;
import static io.testudo.mutex.dht.wire.CommonParts.STATE;
import static io.testudo.mutex.dht.wire.CommonParts.WAITING;
import static io.testudo.mutex.dht.wire.CommonParts.requests;
import static io.testudo.quorum.wire.Field.bool;
import static io.testudo.quorum.wire.Field.message;
import static io.testudo.quorum.wire.Field.string;
import static io.testudo.quorum.wire.Field.uint32;
import static io.testudo.quorum.wire.Field.uint64;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.e2e.Dequeue;
import io.testudo.mutex.dht.e2e.Enqueue;
import io.testudo.mutex.dht.e2e.Enqueued;
import io.testudo.mutex.dht.e2e.IAmWinner;
import io.testudo.mutex.dht.e2e.NotOwner;
import io.testudo.mutex.dht.e2e.Token;
import io.testudo.mutex.dht.e2e.TokenPass;
import io.testudo.mutex.dht.e2e.TokenReceipt;
import io.testudo.mutex.dht.e2e.TokenRelease;
import io.testudo.mutex.dht.e2e.WinnerReply;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.quorum.wire.Schema;
import java.util.stream.Stream;

/** The end-to-end mutex on the wire. Numbers are permanent. */
final class E2eTypes {
  private static final Schema<Token> TOKEN =
      Schema.of(
          message(1, Token::winner, REQUEST),
          uint64(2, Token::seq).as(CommonParts::checkNumber),
          Token::new);

  static final ImmutableList<RingKind<?>> ALL =
      ImmutableList.of(
          RingKind.ofContenders(
              144,
              IAmWinner.class,
              NAMED_BYTES,
              Schema.of(
                  message(1, IAmWinner::replica, REPLICA),
                  message(2, IAmWinner::token, TOKEN),
                  message(3, IAmWinner::holder, WAITING),
                  IAmWinner::new),
              winner -> winner.replica().lock(),
              winner -> Stream.of(winner.token().winner().client(), winner.holder().id().client())),
          RingKind.ofMembers(
              145,
              WinnerReply.class,
              NAMED_BYTES,
              Schema.of(
                  message(1, WinnerReply::replica, REPLICA),
                  message(2, WinnerReply::token, TOKEN),
                  message(3, WinnerReply::holder, REQUEST),
                  bool(4, WinnerReply::isAccepted),
                  message(5, WinnerReply::state, STATE),
                  uint64(6, WinnerReply::echo).as(CommonParts::checkNumber),
                  WinnerReply::new),
              reply -> Stream.of(reply.token().winner().client(), reply.holder().client())),
          RingKind.ofContenders(
              146,
              Enqueue.class,
              NAMED_BYTES,
              Schema.of(
                  string(1, Enqueue::lock, LockNames::check),
                  message(2, Enqueue::waiter, WAITING),
                  uint32(3, Enqueue::forwarded, hops -> (int) CommonParts.checkNumber(hops)),
                  Enqueue::new),
              Enqueue::lock,
              enqueue -> Stream.of(enqueue.waiter().id().client())),
          RingKind.ofContenders(
              147,
              Enqueued.class,
              NAMED_BYTES,
              Schema.of(
                  string(1, Enqueued::lock, LockNames::check),
                  message(2, Enqueued::id, REQUEST),
                  Enqueued::new),
              Enqueued::lock,
              enqueued -> Stream.of(enqueued.id().client())),
          RingKind.ofContenders(
              148,
              NotOwner.class,
              NAMED_BYTES,
              Schema.of(
                  string(1, NotOwner::lock, LockNames::check),
                  message(2, NotOwner::id, REQUEST),
                  NotOwner::new),
              NotOwner::lock,
              denied -> Stream.of(denied.id().client())),
          RingKind.ofContenders(
              149,
              Dequeue.class,
              NAMED_BYTES,
              Schema.of(
                  string(1, Dequeue::lock, LockNames::check),
                  message(2, Dequeue::id, REQUEST),
                  Dequeue::new),
              Dequeue::lock,
              dequeue -> Stream.of(dequeue.id().client())),
          RingKind.ofContenders(
              150,
              TokenPass.class,
              QUEUE_BYTES,
              Schema.of(
                  string(1, TokenPass::lock, LockNames::check),
                  message(2, TokenPass::token, TOKEN),
                  message(3, TokenPass::to, REQUEST),
                  requests(4, TokenPass::queue),
                  TokenPass::new),
              TokenPass::lock,
              pass ->
                  Stream.concat(
                      Stream.of(pass.token().winner().client(), pass.to().client()),
                      CommonParts.clients(pass.queue()))),
          RingKind.ofContenders(
              151,
              TokenReceipt.class,
              NAMED_BYTES,
              Schema.of(
                  string(1, TokenReceipt::lock, LockNames::check),
                  message(2, TokenReceipt::token, TOKEN),
                  message(3, TokenReceipt::to, REQUEST),
                  TokenReceipt::new),
              TokenReceipt::lock,
              receipt -> Stream.of(receipt.token().winner().client(), receipt.to().client())),
          RingKind.ofContenders(
              152,
              TokenRelease.class,
              NAMED_BYTES,
              Schema.of(
                  message(1, TokenRelease::replica, REPLICA),
                  message(2, TokenRelease::token, TOKEN),
                  message(3, TokenRelease::by, REQUEST),
                  TokenRelease::new),
              release -> release.replica().lock(),
              release -> Stream.of(release.token().winner().client(), release.by().client())));

  private E2eTypes() {}
}
