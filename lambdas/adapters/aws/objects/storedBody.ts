import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { packBase64, unpackBase64 } from './packedBase64.ts';

/** A JSON below this size fits into one write unit without compression. */
const COMPRESS_FROM_BYTES = 600;

/** The size of zlib's buffers. With those of 16 KB that it takes by itself, a body of 600 bytes costs twice the time and keeps all of its buffer in memory. Node takes smaller ones from a pool. */
const CHUNK_BYTES = 2_048;
/** How much memory the compressor sets up, from 1 to 9. With 8, which zlib takes by itself, setting it up takes longer than compressing a pod: 50 µs instead of 20, for the same bytes. */
const MEMORY_LEVEL = 6;

/** What packed bodies begin with. No compressed stream does: these bits ask for a kind of block that does not exist. */
const PACKED = Buffer.of(0b110);

/** Binary attributes are bytes in the API's answers, and base64 in stream events. */
export type StoredAttribute = Omit<AttributeValue, 'B'> & { B?: Uint8Array | string };

/**
 * Encodes a JSON as an attribute: a string, or compressed bytes if those are shorter. Objects of one kind resemble each other, so the compressor starts
 * with a dictionary of what they have in common. With it most pods fit into one write unit.
 */
export function encodeBody(json: string): AttributeValue {
  if (json.length < COMPRESS_FROM_BYTES) return { S: json };
  const bytes = compress(json);
  return bytes.length < Buffer.byteLength(json) ? { B: bytes } : { S: json };
}

/** Encodes a JSON that is too large otherwise: what it has in base64 is stored as bytes. */
export function encodePackedBody(json: string): AttributeValue {
  return { B: Buffer.concat([PACKED, compress(packBase64(json))]) };
}

/** True for what `encodePackedBody` made. */
export function isPacked({ B }: AttributeValue): boolean {
  return B?.[0] === PACKED[0];
}

function compress(content: string | Buffer): Buffer {
  return deflateRawSync(content, { dictionary: BODY_DICTIONARY, chunkSize: CHUNK_BYTES, memLevel: MEMORY_LEVEL });
}

function decompress(bytes: Uint8Array): Buffer {
  return inflateRawSync(bytes, { dictionary: BODY_DICTIONARY, chunkSize: CHUNK_BYTES });
}

/** Decodes the JSON. Throws for an attribute that neither `encodeBody` nor `encodePackedBody` made. */
export function decodeBody(attribute: StoredAttribute): string {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.B === undefined) throw new TypeError('a stored body is neither text nor bytes');
  const bytes = typeof attribute.B === 'string' ? Buffer.from(attribute.B, 'base64') : attribute.B;
  return bytes[0] === PACKED[0] ? unpackBase64(decompress(bytes.subarray(1))) : decompress(bytes).toString('utf8');
}

/** Returns the attribute's size in bytes, as DynamoDB counts it. */
export function bodySize(attribute: AttributeValue): number {
  return attribute.S === undefined ? (attribute.B?.length ?? 0) : Buffer.byteLength(attribute.S);
}

/**
 * Text that stored objects have in common, the most common last, since the compressor encodes short distances more cheaply. Stored bodies can be read only
 * with exactly these bytes: never change them. A better dictionary needs an attribute of its own.
 */
const TEXT = [
  '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"","subjects":[{"kind":"ServiceAccount","verbs":["get","list","watch","create","update","patch","delete"],"apiGroups":[""],"resources":["',
  '{"apiVersion":"v1","kind":"Event","involvedObject":{"kind":"Pod","namespace":"default","uid":"","fieldPath":"spec.containers{"reason":"SuccessfulCreate","message":"Created pod: ","source":{"component":"replicaset-controller"},"firstTimestamp":"2026-","lastTimestamp":"2026-","count":1,"type":"Normal","eventTime":null,"action":"reportingComponent":"kubelet","reportingInstance":"","series":"Pulling image \\"","Successfully pulled image","Created container","Started container","Successfully assigned default/","Scaled up replica set "',
  '{"apiVersion":"v1","kind":"ConfigMap","data":{"kube-root-ca.crt":"-----BEGIN CERTIFICATE-----","immutable":"kind":"Secret","type":"Opaque","kind":"Service","clusterIP":"ports":[{"port":80,"targetPort":8080,"nodePort":"sessionAffinity":"None","kind":"Namespace","spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}',
  '{"apiVersion":"apps/v1","kind":"Deployment","annotations":{"deployment.kubernetes.io/revision":"1","kubectl.kubernetes.io/last-applied-configuration":"kubectl.kubernetes.io/restartedAt":"generation":1,"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}},"revisionHistoryLimit":10,"progressDeadlineSeconds":600,"minReadySeconds":"type":"Progressing","reason":"NewReplicaSetAvailable","message":"ReplicaSet \\"\\" has successfully progressed.","lastUpdateTime":"type":"Available","reason":"MinimumReplicasAvailable","message":"Deployment has minimum availability.","ReplicaSetUpdated","updatedReplicas":',
  '{"apiVersion":"apps/v1","kind":"ReplicaSet","annotations":{"deployment.kubernetes.io/desired-replicas":"3","deployment.kubernetes.io/max-replicas":"4","deployment.kubernetes.io/revision":"1"},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web","pod-template-hash":""}},"template":{"metadata":{"creationTimestamp":null,"labels":{"app.kubernetes.io/name":"}},"status":{"replicas":3,"fullyLabeledReplicas":3,"readyReplicas":3,"availableReplicas":3,"observedGeneration":1}}',
  '"resources":{"limits":{"cpu":"500m","memory":"128Mi"},"requests":{"cpu":"100m","memory":"64Mi"}},"env":[{"name":"","value":"valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}}],"volumeMounts":[{"name":"","mountPath":"/","readOnly":true}],"volumes":[{"name":"","emptyDir":{}},{"configMap":{"name":"","defaultMode":420}}],"livenessProbe":{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP"},"initialDelaySeconds":5,"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3},"readinessProbe":{"command":["/bin/sh","-c","args":["ports":[{"name":"http","containerPort":80,"protocol":"TCP"}],"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"serviceAccount":"default","serviceAccountName":"default","enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority","priority":0,',
  '"deletionTimestamp":"2026-01-01T00:00:00Z","deletionGracePeriodSeconds":30,"finalizers":["foregroundDeletion"],"state":{"terminated":{"exitCode":0,"reason":"Completed","startedAt":"","finishedAt":"","containerID":"waiting":{"reason":"ContainerCreating","ImagePullBackOff","message":"Back-off pulling image","ErrImagePull","CrashLoopBackOff","message":"containers with unready status: [","reason":"ContainersNotReady","status":"False","phase":"Pending","type":"PodScheduled","reason":"Unschedulable"',
  '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-","generateName":"web-","namespace":"default","uid":"","creationTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"web","pod-template-hash":""},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-","uid":"","controller":true,"blockOwnerDeletion":true}]},"spec":{"containers":[{"name":"nginx","image":"nginx:1.27","resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler","nodeName":"node-1"},"status":{"phase":"Running","conditions":[{"type":"PodReadyToStartContainers","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"},{"type":"Initialized","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"},{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"},{"type":"ContainersReady","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"},{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"}],"hostIP":"10.0.0.1","hostIPs":[{"ip":"10.0.0.1"}],"podIP":"10.244.0.1","podIPs":[{"ip":"10.244.0.1"}],"startTime":"2026-01-01T00:00:00Z","containerStatuses":[{"name":"nginx","state":{"running":{"startedAt":"2026-01-01T00:00:00Z"}},"lastState":{},"ready":true,"restartCount":0,"image":"nginx:1.27","imageID":"docker.io/library/nginx@sha256:","containerID":"containerd://","started":true}],"qosClass":"BestEffort"}}',
].join('');

const BODY_DICTIONARY: Buffer = Buffer.from(TEXT);
