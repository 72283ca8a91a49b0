import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * Runs DynamoDB Local in memory on a free port of loopback. Amazon's own main class listens on all interfaces and cannot be told otherwise. Prints the port, and
 * ends when standard input does: that happens with the process that holds the other end, however that process ends.
 */
public class LoopbackDynamoDb {
  public static void main(String[] arguments) throws Exception {
    Server server = new Server(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
    boolean inMemory = true;
    boolean sharedByAllAccessKeys = false;
    boolean delaysTableStates = false;
    var requests = new LocalDynamoDBRequestHandler(0, inMemory, null, sharedByAllAccessKeys, delaysTableStates);
    server.setHandler(new LocalDynamoDBServerHandler(requests, null));
    server.start();
    System.out.println(((ServerConnector) server.getConnectors()[0]).getLocalPort());
    while (System.in.read() >= 0) {
      // Nothing is sent.
    }
    Runtime.getRuntime().halt(0);
  }
}
