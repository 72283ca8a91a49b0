import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDbSender } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { encodeBody } from '../../../lambdas/adapters/aws/objects/storedBody.ts';

const PLACES = 16;
/** About what DynamoDB puts into a page of 1 MB. */
const PAGE_ITEMS = 1_000;
const OBJECTS = 'objects';

/** An objects table with the pods of one namespace that are made when they are read, so that they take no memory. Requests to other tables go to `others`. */
export class GeneratedPods {
  /** How many items were read. */
  itemsRead = 0;
  readonly #count: number;
  readonly #others: DynamoDbSender;

  constructor(count: number, others: DynamoDbSender) {
    this.#count = count;
    this.#others = others;
  }

  get client(): DynamoDbSender {
    const send = async (command: object) => {
      if (command instanceof QueryCommand && command.input.TableName === OBJECTS) return this.#query(command);
      return await this.#others.send(command as never);
    };
    return { send };
  }

  #query({ input }: QueryCommand) {
    const { Limit = PAGE_ITEMS, ExclusiveStartKey, ExpressionAttributeValues: values = {} } = input;
    const place = Number(values[':place']?.S?.split('#').at(-1));
    const after = ExclusiveStartKey?.['name']?.S ?? values[':after']?.S ?? '';
    const Items: Record<string, AttributeValue>[] = [];
    for (let pod = place; pod < this.#count; pod += PLACES) {
      if (nameOf(pod) <= after) continue;
      if (Items.length === Math.min(Limit, PAGE_ITEMS)) {
        this.itemsRead += Items.length;
        const { place: key, name } = Items.at(-1) ?? {};
        return { Items, LastEvaluatedKey: { place: key, name } };
      }
      Items.push(itemOf(pod, place));
    }
    this.itemsRead += Items.length;
    return { Items };
  }
}

export function nameOf(pod: number): string {
  return `web-6d5f8b7c9d-${String(pod).padStart(5, '0')}`;
}

function itemOf(pod: number, place: number): Record<string, AttributeValue> {
  return {
    place: { S: `pods#default#${place}` },
    name: { S: nameOf(pod) },
    format: { N: '1' },
    version: { N: String(pod + 2) },
    uid: { S: `uid-${pod}` },
    body: received(encodeBody(JSON.stringify(podOf(pod)))),
  };
}

/** The SDK decodes bytes from base64. The compressor's own buffer is larger than its content. */
function received({ S, B }: AttributeValue): AttributeValue {
  return B ? { B: Buffer.from(Buffer.from(B).toString('base64'), 'base64') } : { S: S ?? '' };
}

/** A pod that runs, of about 2 KB. */
function podOf(pod: number) {
  const time = '2026-11-22T05:00:00Z';
  const uid = `5f0c9a4e-0000-4000-8000-${String(pod).padStart(12, '0')}`;
  const condition = (type: string) => ({ type, status: 'True', lastProbeTime: null, lastTransitionTime: time });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: nameOf(pod),
      generateName: 'web-6d5f8b7c9d-',
      namespace: 'default',
      uid,
      creationTimestamp: time,
      labels: { app: 'web', 'pod-template-hash': '6d5f8b7c9d', index: String(pod) },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: 'web-6d5f8b7c9d',
          uid: 'rs',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'registry.example.com/team/web:1.27.3',
          ports: [{ containerPort: 8080, protocol: 'TCP' }],
          env: [
            { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
            { name: 'SETTINGS', value: `the settings of pod ${pod} `.repeat(6) },
          ],
          resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'IfNotPresent',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      nodeName: `driftless-node-${pod % 50}`,
      schedulerName: 'default-scheduler',
      tolerations: ['not-ready', 'unreachable'].map((key) => ({
        key: `node.kubernetes.io/${key}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
    },
    status: {
      phase: 'Running',
      conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(
        condition,
      ),
      hostIP: `10.0.0.${pod % 50}`,
      podIP: `10.244.${pod >> 8}.${pod & 255}`,
      podIPs: [{ ip: `10.244.${pod >> 8}.${pod & 255}` }],
      startTime: time,
      containerStatuses: [
        {
          name: 'web',
          state: { running: { startedAt: time } },
          ready: true,
          restartCount: 0,
          image: 'registry.example.com/team/web:1.27.3',
          imageID: `registry.example.com/team/web@sha256:${uid.replaceAll('-', '')}`,
          containerID: `driftless://${uid}`,
          started: true,
        },
      ],
      qosClass: 'Burstable',
    },
  };
}
