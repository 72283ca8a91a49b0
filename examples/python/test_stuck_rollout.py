"""An operator that scales a stuck rollout to zero, and its test. Run it with `python3 -m unittest`."""

import unittest

from driftless import ApiError, Cluster

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
MERGE_PATCH = "application/merge-patch+json"


def scale_stuck_rollouts_to_zero(cluster):
    """The operator: one look at all Deployments. A conflict is tried again."""
    for deployment in cluster.request("GET", DEPLOYMENTS)["items"]:
        conditions = deployment["status"].get("conditions", [])
        if any(one.get("reason") == "ProgressDeadlineExceeded" for one in conditions):
            path = f"{DEPLOYMENTS}/{deployment['metadata']['name']}"
            while True:
                try:
                    cluster.request("PATCH", path, {"spec": {"replicas": 0}}, MERGE_PATCH)
                    break
                except ApiError as error:
                    if error.code != 409:
                        raise


def web():
    labels = {"app": "web"}
    containers = [{"name": "web", "image": "nginx:bad"}]
    template = {"metadata": {"labels": labels}, "spec": {"containers": containers}}
    spec = {"replicas": 3, "selector": {"matchLabels": labels}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}


class StuckRolloutTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)

    def setUp(self):
        self.cluster.reset()

    def test_is_scaled_to_zero_after_its_progress_deadline(self):
        cluster = self.cluster
        behaviour = {"image": "nginx:bad", "behave": {"failPull": True}}
        cluster.testing_object("podbehaviours", "PodBehaviour", "no-image", behaviour)
        conflict = {"verb": "patch", "resource": "deployments", "times": 1, "conflict": True}
        cluster.testing_object("faults", "Fault", "one-conflict", conflict)
        cluster.request("POST", DEPLOYMENTS, web())

        cluster.advance("9m")
        scale_stuck_rollouts_to_zero(cluster)
        self.assertEqual(cluster.request("GET", f"{DEPLOYMENTS}/web")["spec"]["replicas"], 3)

        cluster.advance("1m1s")
        scale_stuck_rollouts_to_zero(cluster)
        self.assertEqual(cluster.request("GET", f"{DEPLOYMENTS}/web")["spec"]["replicas"], 0)
        fault = cluster.request("GET", "/apis/testing.driftless.dev/v1/faults/one-conflict")
        self.assertEqual(fault["status"]["acted"], 1)

        cluster.advance("1m")
        self.assertEqual(cluster.request("GET", "/api/v1/namespaces/default/pods")["items"], [])

    def test_begins_with_an_empty_cluster(self):
        self.assertEqual(self.cluster.request("GET", DEPLOYMENTS)["items"], [])
        self.assertEqual(self.cluster.request("GET", "/apis/testing.driftless.dev/v1/faults")["items"], [])


if __name__ == "__main__":
    unittest.main()
