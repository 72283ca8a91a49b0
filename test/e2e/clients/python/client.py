"""Uses a cluster with Python's Kubernetes client, which Ansible builds on: discovery, applies, watches, conflicts. Prints a line for each step, for the test that runs it."""

import json
import os

from kubernetes import client, config, dynamic, watch
from kubernetes.client.exceptions import ApiException
from kubernetes.dynamic.exceptions import ConflictError

NAMESPACE = os.environ["NAMESPACE"]
LABELS = {"app": "web"}


def deployment(image, replicas=2):
    template = {"metadata": {"labels": LABELS}, "spec": {"containers": [{"name": "web", "image": image}]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": NAMESPACE},
        "spec": {"replicas": replicas, "selector": {"matchLabels": LABELS}, "template": template},
    }


def typed(apps, core):
    """The generated client: create, watch, scale, list by label, and an error's reason."""
    apps.create_namespaced_deployment(NAMESPACE, deployment("nginx:1"))
    follower = watch.Watch()
    for event in follower.stream(apps.list_namespaced_deployment, NAMESPACE, timeout_seconds=60):
        if event["object"].status.available_replicas == 2:
            print("available", event["object"].metadata.name)
            follower.stop()
    scaled = apps.patch_namespaced_deployment_scale("web", NAMESPACE, {"spec": {"replicas": 3}})
    print("scaled", scaled.spec.replicas)
    pods = core.list_namespaced_pod(NAMESPACE, label_selector="app=web", limit=1)
    print("page", len(pods.items), bool(pods.metadata._continue))
    try:
        apps.create_namespaced_deployment(NAMESPACE, deployment("nginx:1"))
    except ApiException as error:
        print("refused", error.status, error.reason)


def untyped(api):
    """The dynamic client: it finds its resources by discovery, as Ansible does."""
    deployments = api.resources.get(api_version="apps/v1", kind="Deployment")
    current = deployments.get(name="web", namespace=NAMESPACE).to_dict()
    current["metadata"]["resourceVersion"] = "1"
    try:
        deployments.replace(body=current, namespace=NAMESPACE)
    except ConflictError as error:
        print("conflict", error.status)
    dry = deployments.patch(
        body={"spec": {"replicas": 9}},
        name="web",
        namespace=NAMESPACE,
        content_type="application/merge-patch+json",
        query_params=[("dryRun", "All")],
    )
    print("dry run", dry.spec.replicas, deployments.get(name="web", namespace=NAMESPACE).spec.replicas)
    applied = api.server_side_apply(
        deployments,
        body=json.dumps(deployment("nginx:2", 3)),
        name="web",
        namespace=NAMESPACE,
        field_manager="python",
        force_conflicts=True,
    )
    print("applied", applied.spec.template.spec.containers[0].image)


def main():
    config.load_kube_config()
    typed(client.AppsV1Api(), client.CoreV1Api())
    untyped(dynamic.DynamicClient(client.ApiClient()))
    client.CoreV1Api().delete_namespace(NAMESPACE)
    print("deleted")


main()
