package io.testudo.node.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;

/** As much of a WebSocket as the protocol of a browser needs: texts, there and back. */
final class DevToolsSocket implements AutoCloseable {
  /** A page that never comes to what is waited for fails the test. */
  private static final int GUARD_MILLIS = 90_000;

  private static final int LAST = 0x80;
  private static final int TEXT = 1;
  private static final int CONTINUED = 0;
  private static final int CLOSE = 8;
  private static final int MASKED = 0x80;
  private static final int SHORT = 126;
  private static final int LONG = 127;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  DevToolsSocket(URI target) throws IOException {
    socket = new Socket(target.getHost(), target.getPort());
    socket.setSoTimeout(GUARD_MILLIS);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    out = new DataOutputStream(socket.getOutputStream());
    String head =
        """
        GET %s HTTP/1.1\r
        Host: %s\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
        \r
        """
            .formatted(target.getPath(), target.getAuthority());
    out.write(head.getBytes(ISO_8859_1));
    StringBuilder answer = new StringBuilder();
    while (answer.indexOf("\r\n\r\n") < 0) {
      answer.append((char) in.readUnsignedByte());
    }
    if (!answer.toString().startsWith("HTTP/1.1 101 ")) {
      throw new IOException("no WebSocket: " + answer);
    }
  }

  void send(String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    out.writeByte(LAST | TEXT);
    if (bytes.length < SHORT) {
      out.writeByte(MASKED | bytes.length);
    } else {
      out.writeByte(MASKED | LONG);
      out.writeLong(bytes.length);
    }
    out.writeInt(0); // A mask that changes nothing.
    out.write(bytes);
    out.flush();
  }

  /** The next text. */
  String receive() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    while (true) {
      int head = in.readUnsignedByte();
      int kind = head & ~LAST;
      int size = in.readUnsignedByte();
      long length = size == SHORT ? in.readUnsignedShort() : size == LONG ? in.readLong() : size;
      byte[] bytes = in.readNBytes(Math.toIntExact(length));
      if (kind == CLOSE) {
        throw new EOFException("the browser closed");
      }
      if (kind == TEXT || kind == CONTINUED) {
        text.write(bytes);
        if ((head & LAST) != 0) {
          return text.toString(UTF_8);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
