import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Netty, where the machine has it: by the engine of the context, and by the trust manager. */
public final class NettyClients {
    private interface Handler {
        SslHandler make(SocketChannel channel) throws Exception;
    }

    private NettyClients() {}

    private static String ask(Handler handler, String host, int port) throws Exception {
        var group = new NioEventLoopGroup(1);
        var answer = new CompletableFuture<String>();
        try {
            new Bootstrap().group(group).channel(NioSocketChannel.class).handler(new ChannelInitializer<SocketChannel>() {
                @Override
                protected void initChannel(SocketChannel channel) throws Exception {
                    channel.pipeline().addLast(handler.make(channel), new SimpleChannelInboundHandler<ByteBuf>() {
                        @Override
                        public void channelActive(ChannelHandlerContext context) {
                            // Before the handshake: the handler holds it back.
                            context.writeAndFlush(Unpooled.copiedBuffer(
                                    "GET / HTTP/1.0\r\n\r\n", StandardCharsets.US_ASCII));
                        }

                        @Override
                        protected void channelRead0(ChannelHandlerContext context, ByteBuf octets) {
                            answer.complete(octets.toString(StandardCharsets.US_ASCII).substring(9, 12));
                        }

                        @Override
                        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
                            answer.completeExceptionally(failure);
                        }
                    });
                }
            }).connect("127.0.0.1", port).sync();
            return answer.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof Exception cause ? cause : failure;
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    public static void add(Map<String, Clients.Client> all) {
        all.put("Netty", (judge, host, port) -> ask(
                channel -> {
                    var engine = judge.sslContext().createSSLEngine(host, port);
                    engine.setUseClientMode(true);
                    return new SslHandler(engine);
                }, host, port));
        SslContext[] context = new SslContext[1];
        all.put("Netty-trust-manager", (judge, host, port) -> {
            if (context[0] == null) {
                context[0] = SslContextBuilder.forClient().trustManager(judge.trustManager())
                        .protocols("TLSv1.3", "TLSv1.2").build();
            }
            return ask(channel -> context[0].newHandler(channel.alloc(), host, port), host, port);
        });
    }
}
