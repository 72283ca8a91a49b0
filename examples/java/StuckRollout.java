import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ArrayList;

/** Tests what a Deployment says of pods that never start, with the JDK alone: `java StuckRollout.java`. */
public class StuckRollout {
    static final String TESTING = "/apis/testing.driftless.dev/v1";
    static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

    /** An answer of the API. */
    record Answer(int code, String body) {
        boolean has(String text) {
            return body.contains(text);
        }
    }

    /** A server that keeps nothing, on a clock that only `advance` moves. */
    static final class Cluster implements AutoCloseable {
        private final Path directory = Files.createTempDirectory("driftless-java");
        private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final Process process;
        private final String url;

        Cluster() throws IOException {
            // In a clone of the repository: DRIFTLESS="npm start --silent --"
            String start = System.getenv().getOrDefault("DRIFTLESS", "npx driftless-k8s");
            List<String> command = new ArrayList<>(List.of(start.split(" ")));
            String kubeconfig = directory.resolve("kubeconfig").toString();
            command.addAll(List.of("--ephemeral", "--clock", "virtual", "--port", "0", "--kubeconfig", kubeconfig));
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            // The first line tells that the server listens: "driftless listening on http://127.0.0.1:40123".
            String line = process.inputReader().readLine();
            while (line != null && !line.contains("listening on")) line = process.inputReader().readLine();
            if (line == null) throw new IOException(start + " has ended");
            url = line.substring(line.lastIndexOf(' ') + 1);
        }

        Answer send(String method, String path, String body) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
            var response = http.send(request, BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        }

        Answer get(String path) throws IOException, InterruptedException {
            return send("GET", path, "");
        }

        /** Moves the clock. Everything due by then has happened when it returns. */
        Answer advance(String duration) throws IOException, InterruptedException {
            return send("POST", TESTING + "/clocks/cluster/advance", "{\"duration\": \"" + duration + "\"}");
        }

        @Override
        public void close() throws IOException {
            process.destroy();
            process.onExit().join();
            Files.deleteIfExists(directory.resolve("kubeconfig"));
            Files.delete(directory);
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (Cluster cluster = new Cluster()) {
            cluster.send("POST", TESTING + "/podbehaviours", """
                {"apiVersion": "testing.driftless.dev/v1", "kind": "PodBehaviour", "metadata": {"name": "no-image"},
                 "spec": {"image": "nginx:bad", "behave": {"failPull": true}}}""");
            cluster.send("POST", TESTING + "/faults", """
                {"apiVersion": "testing.driftless.dev/v1", "kind": "Fault", "metadata": {"name": "outage"},
                 "spec": {"verb": "create", "resource": "deployments", "times": 1, "respond": {"reason": "ServiceUnavailable"}}}""");
            String web = """
                {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
                 "spec": {"replicas": 3, "selector": {"matchLabels": {"app": "web"}}, "template":
                   {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "web", "image": "nginx:bad"}]}}}}""";
            expect("the first create meets the fault", cluster.send("POST", DEPLOYMENTS, web).code() == 503);
            expect("the second one does not", cluster.send("POST", DEPLOYMENTS, web).code() == 201);
            cluster.advance("9m");
            expect("the rollout goes on", !cluster.get(DEPLOYMENTS + "/web").has("ProgressDeadlineExceeded"));
            expect("the clock moves", cluster.advance("1m1s").has("\"time\":\"2026-01-01T00:10:01.000Z\""));
            expect("the rollout is stuck", cluster.get(DEPLOYMENTS + "/web").has("ProgressDeadlineExceeded"));
            cluster.send("POST", TESTING + "/clocks/cluster/reset", "{}");
            expect("the next test begins with nothing", cluster.get(DEPLOYMENTS + "/web").code() == 404);
        }
    }

    static void expect(String what, boolean isTrue) {
        if (!isTrue) throw new AssertionError(what);
        System.out.println("ok: " + what);
    }
}
