"""A cluster for tests, with Python's standard library alone."""

import json
import os
import shlex
import subprocess
import tempfile
import urllib.error
import urllib.request

TESTING = "/apis/testing.driftless.dev/v1"
# What starts the server. In a clone of the repository: DRIFTLESS="npm start --silent --"
COMMAND = os.environ.get("DRIFTLESS", "npx driftless-k8s")


class ApiError(Exception):
    """A Status that the API answered."""

    def __init__(self, status):
        super().__init__(status.get("message"))
        self.code = status["code"]
        self.status = status


class Cluster:
    """A server that keeps nothing, on a clock that only `advance` moves."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory()
        kubeconfig = os.path.join(self.directory.name, "kubeconfig")
        options = ["--ephemeral", "--clock", "virtual", "--port", "0", "--kubeconfig", kubeconfig]
        self.process = subprocess.Popen(shlex.split(COMMAND) + options, stdout=subprocess.PIPE, text=True)
        # The first line tells that the server listens: "driftless listening on http://127.0.0.1:40123".
        line = next((one for one in self.process.stdout if "listening on" in one), "")
        if not line:
            raise RuntimeError(f"{COMMAND} has ended")
        self.url = line.split()[-1]

    def request(self, method, path, body=None, content_type="application/json"):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": content_type}, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise ApiError(json.load(error)) from error

    def testing_object(self, plural, kind, name, spec):
        body = {"apiVersion": "testing.driftless.dev/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}
        return self.request("POST", f"{TESTING}/{plural}", body)

    def advance(self, duration):
        """Moves the clock. Everything due by then has happened when it returns."""
        return self.request("POST", f"{TESTING}/clocks/cluster/advance", {"duration": duration})

    def reset(self):
        return self.request("POST", f"{TESTING}/clocks/cluster/reset", {})

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self.directory.cleanup()
