package dev.tidemark.http.edge;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;

/** Counts the bytes that wait in Netty's flow controller. */
final class CountingFlowController implements Http2RemoteFlowController {

    private final Http2RemoteFlowController controller;
    private final FlowControlledBytes waiting;

    CountingFlowController(Http2RemoteFlowController controller, FlowControlledBytes waiting) {
        this.controller = controller;
        this.waiting = waiting;
    }

    @Override
    public void addFlowControlled(Http2Stream stream, FlowControlled frame) {
        controller.addFlowControlled(stream, new CountedFrame(frame, waiting));
    }

    private static final class CountedFrame implements FlowControlled {

        private final FlowControlled frame;
        private final FlowControlledBytes waiting;
        private int counted;

        CountedFrame(FlowControlled frame, FlowControlledBytes waiting) {
            this.frame = frame;
            this.waiting = waiting;
            count(FlowControlledBytes.OF_A_RESPONSE + frame.size());
        }

        private void count(int bytes) {
            waiting.bytes += bytes - counted;
            counted = bytes;
        }

        @Override
        public int size() {
            return frame.size();
        }

        @Override
        public void error(ChannelHandlerContext context, Throwable cause) {
            count(0);
            frame.error(context, cause);
        }

        @Override
        public void writeComplete() {
            count(0);
            frame.writeComplete();
        }

        @Override
        public void write(ChannelHandlerContext context, int allowedBytes) {
            frame.write(context, allowedBytes);
            count(FlowControlledBytes.OF_A_RESPONSE + frame.size());
        }

        @Override
        public boolean merge(ChannelHandlerContext context, FlowControlled next) {
            CountedFrame other = (CountedFrame) next;
            if (!frame.merge(context, other.frame)) {
                return false;
            }
            other.count(0);
            count(FlowControlledBytes.OF_A_RESPONSE + frame.size());
            return true;
        }
    }

    @Override
    public ChannelHandlerContext channelHandlerContext() {
        return controller.channelHandlerContext();
    }

    @Override
    public boolean hasFlowControlled(Http2Stream stream) {
        return controller.hasFlowControlled(stream);
    }

    @Override
    public void writePendingBytes() throws Http2Exception {
        controller.writePendingBytes();
    }

    @Override
    public void listener(Listener listener) {
        controller.listener(listener);
    }

    @Override
    public boolean isWritable(Http2Stream stream) {
        return controller.isWritable(stream);
    }

    @Override
    public void channelWritabilityChanged() throws Http2Exception {
        controller.channelWritabilityChanged();
    }

    @Override
    public void updateDependencyTree(int childStreamId, int parentStreamId, short weight, boolean exclusive) {
        controller.updateDependencyTree(childStreamId, parentStreamId, weight, exclusive);
    }

    @Override
    public void channelHandlerContext(ChannelHandlerContext context) throws Http2Exception {
        controller.channelHandlerContext(context);
    }

    @Override
    public void initialWindowSize(int newWindowSize) throws Http2Exception {
        controller.initialWindowSize(newWindowSize);
    }

    @Override
    public int initialWindowSize() {
        return controller.initialWindowSize();
    }

    @Override
    public int windowSize(Http2Stream stream) {
        return controller.windowSize(stream);
    }

    @Override
    public void incrementWindowSize(Http2Stream stream, int delta) throws Http2Exception {
        controller.incrementWindowSize(stream, delta);
    }
}
