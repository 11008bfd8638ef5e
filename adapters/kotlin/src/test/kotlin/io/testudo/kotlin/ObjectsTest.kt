package io.testudo.kotlin

import io.testudo.client.TestudoCluster
import io.testudo.client.junit.TestudoClusterExtension
import io.testudo.ordering.Change
import io.testudo.ordering.Codec
import io.testudo.ordering.ObjectType
import io.testudo.ordering.Operation
import io.testudo.quorum.ClosedException
import java.util.UUID
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

class ObjectsTest {
  private companion object {
    @JvmField @RegisterExtension val CLUSTER: TestudoClusterExtension = TestudoClusterExtension.of(4, 1)

    val GUARD = 1.minutes

    val ADD: Operation<Long, Long, Long> =
      Operation.of(1, "add", Codec.LONG, Codec.LONG).changing { sum: Long, more: Long ->
        Change.to(sum + more, sum + more)
      }
    val SUM: ObjectType<Long> = ObjectType.of(100, "sum", Codec.LONG, 0L).with(ADD)
  }

  /** Returns nothing: JUnit leaves out tests that return what they asserted last. */
  private fun guarded(test: suspend CoroutineScope.() -> Unit) {
    runBlocking { withTimeout(GUARD, test) }
  }

  private val name = UUID.randomUUID().toString()

  @Test
  fun `operations and reads suspend`(cluster: TestudoCluster) = guarded {
    cluster.client().use { client ->
      val sum = client.`object`(name, SUM)
      assertThat(sum.submitSuspending(ADD, 3L)).isEqualTo(3L)
      assertThat(sum.readSuspending { it + 1 }).isEqualTo(4L)
      assertThat(client.counter("of $name").increment().await()).isEqualTo(1L)
    }
  }

  @Test
  fun `versions are a flow until the client is closed`(cluster: TestudoCluster) = guarded {
    val client = cluster.client()
    val sum = client.`object`(name, SUM)
    val begun = CompletableDeferred<Unit>()
    val seen = async { runCatching { sum.versions().onEach { begun.complete(Unit) }.toList() } }
    begun.await()
    sum.submitSuspending(ADD, 5L)
    assertThat(sum.versions().first { it.state() == 5L }.version()).isPositive()
    client.close()
    assertThat(seen.await().exceptionOrNull()).isInstanceOf(ClosedException::class.java)
  }
}
