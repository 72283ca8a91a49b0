import { FAULT_CALLERS } from '../faultProblems.ts';
import { FAULT_VERBS } from '../Fault.ts';
import { STATUS_CODES } from '../../../lambdas/objects/ApiError.ts';

const ACTED = {
  type: 'integer',
  format: 'int64',
  description: 'The number of requests that the fault has applied to.',
};

/** The OpenAPI schema of a Fault: which requests fail, how, and how often. It has the fields of startCluster's `Fault`. */
export const faultSchema = {
  type: 'object',
  description:
    'Fault makes requests to the API fail, conflict or wait. Of several faults that match a request, the oldest applies. Requests for testing.driftless.dev never fail by a fault.',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      description:
        'Which requests the fault applies to, and what it does. A field that is left out matches every request.',
      properties: {
        verb: { type: 'string', enum: [...FAULT_VERBS], description: 'The verb of the request, as in RBAC rules.' },
        resource: {
          type: 'string',
          description:
            'A plural as in RBAC rules, such as deployments or pods/status, or a singular or short name. A custom resource has its whole name: widgets.example.com.',
        },
        namespace: { type: 'string', description: 'The namespace of the request.' },
        name: { type: 'string', description: 'The name of the object that is requested.' },
        times: {
          type: 'integer',
          format: 'int64',
          description:
            'The number of requests that the fault applies to; later ones succeed. Without it, the fault applies until it is deleted.',
        },
        by: {
          type: 'string',
          enum: [...FAULT_CALLERS],
          description:
            "Whose requests fail: those of clients (the default), the writes of the cluster's own controllers, or both.",
        },
        respond: {
          type: 'object',
          description:
            'Refuses the request with a Status of this reason, or with the reason that belongs to this code.',
          properties: {
            reason: {
              type: 'string',
              enum: Object.keys(STATUS_CODES),
              description: 'The reason of the Status: ServiceUnavailable, TooManyRequests, Conflict.',
            },
            code: { type: 'integer', format: 'int32', description: 'The HTTP status code.' },
            message: { type: 'string', description: 'The message of the Status.' },
            retryAfterSeconds: {
              type: 'integer',
              format: 'int32',
              description: 'After how many seconds the client is told to try again.',
            },
          },
        },
        conflict: {
          type: 'boolean',
          description: 'Refuses the request with a conflict, as if its resourceVersion were old.',
        },
        delay: {
          type: 'string',
          description:
            "Delays the answer by this duration of the cluster's clock, such as 5s. For requests of clients only.",
        },
      },
    },
    status: {
      type: 'object',
      description: 'What the fault has done. The server writes it.',
      properties: { acted: ACTED },
    },
  },
} as const;
