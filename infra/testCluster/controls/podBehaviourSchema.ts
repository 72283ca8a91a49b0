import type { PodBehaviour } from '../PodBehaviour.ts';

const duration = (description: string) => ({
  type: 'string',
  description: `${description} A duration such as 5s or 1m30s.`,
});

const behaveProperties = {
  startDelay: duration("The time it takes to create the pod's containers."),
  readyAfter: duration("The time from a container's start to its first successful readiness probe."),
  neverReady: { type: 'boolean', description: 'The pod never becomes ready.' },
  failPull: {
    type: 'boolean',
    description: 'No image can be pulled: ErrImagePull, then ImagePullBackOff.',
  },
  imagePresent: {
    type: 'boolean',
    description: "The node has the pod's images already, as imagePullPolicy Never demands.",
  },
  initDuration: duration('How long each init container runs.'),
  failInit: { type: 'boolean', description: 'Init containers end with exit code 1.' },
  crashAfter: duration('How long a container runs before it ends with exit code 1.'),
  completeAfter: duration('How long a container runs before it ends with exit code 0.'),
  exitCode: {
    type: 'integer',
    format: 'int32',
    description: 'Replaces the exit code of crashAfter and completeAfter.',
  },
  failAttempts: {
    type: 'integer',
    format: 'int32',
    description: 'Only the first so many starts of a container end with failure; the later ones succeed.',
  },
  failIndexes: {
    type: 'string',
    description: 'Only the pods of a Job with these completion indexes fail: 0,3-5.',
  },
  log: { type: 'string', description: 'The lines that each container writes when it starts; kubectl logs shows them.' },
  terminationDelay: duration('How long a container takes to end after SIGTERM.'),
  ignoreSigterm: {
    type: 'boolean',
    description: 'Containers ignore SIGTERM, so they are killed at the end of their grace period.',
  },
} satisfies Record<keyof PodBehaviour, object>;

/** The OpenAPI schema of a PodBehaviour: which simulated pods it is about, and what they do. It has the fields of startCluster's `PodBehaviourRule`. */
export const podBehaviourSchema = {
  type: 'object',
  description:
    "PodBehaviour tells simulated pods how to behave. If several match a pod, the newer wins, field by field; the pod's own annotations win over all. A change is seen by pods at once.",
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      description: 'Which pods, and what they do. A field that is left out matches every pod.',
      required: ['behave'],
      properties: {
        image: { type: 'string', description: "The image of any container, as written in the pod's spec." },
        imagePattern: {
          type: 'string',
          description:
            "A regular expression in Go's syntax that finds a match anywhere in the image of any container. It may begin with flags: (?i)nginx.",
        },
        labels: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Labels that the pod has, all of them.',
        },
        namespace: { type: 'string', description: 'The namespace of the pod.' },
        behave: {
          type: 'object',
          description: 'What the pods do. Each field stands for an annotation simulate.driftless.dev/…',
          properties: behaveProperties,
        },
      },
    },
    status: {
      type: 'object',
      description: 'What the behaviour has done. The server writes it.',
      properties: {
        acted: {
          type: 'integer',
          format: 'int64',
          description: 'The number of pods that have behaved in this way.',
        },
      },
    },
  },
} as const;
