import type { Binding } from 'kubernetes-types/core/v1.js';
import { ApiError } from '../../objects/ApiError.ts';
import { badRequest } from '../../objects/apiErrors.ts';
import { type FieldError, fieldErrorsMessage } from '../../objects/FieldError.ts';
import type { Pod } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import { notSupported, required } from '../../registry/validation/fieldErrors.ts';
import { decodeRequest } from '../request/decodeRequest.ts';
import { setNamespace } from '../request/requestTarget.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';
import { objectForm, respondStatus } from '../response/respond.ts';

/**
 * Answers a Binding, by which a scheduler gives a pod its node: `POST pods/<name>/binding`, or `POST bindings` with the pod's name in the Binding. Whether the node exists is not checked, as in
 * Kubernetes. Who owns the fields is not tracked: for Kubernetes, the object that is written is the Binding.
 */
export async function serveBinding(request: ResourceRequest): Promise<Response> {
  const { registry, clock } = request.dependencies;
  const form = objectForm(request);
  const { dryRun, fieldValidation } = parseWriteOptions(request.query, 'CreateOptions');
  const draft = await decodeRequest(request, fieldValidation, { apiVersion: 'v1', kind: 'Binding' });
  setNamespace(request, draft);
  const binding = draft as Partial<Binding>;
  checkBinding(request, binding);
  const outcome = await registry.update<Pod>('pods', boundPod(binding, formatTime(clock.now())), {
    subresource: 'binding',
    dryRun,
  });
  if (outcome.status === 'refused') throw outcome.error;
  const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as const;
  return respondStatus(request.raw, success, 201, form);
}

/** Throws BadRequest for a wrong name. Kubernetes answers a wrong target with the code 500 and no reason, although it is the client's mistake. */
function checkBinding({ info }: ResourceRequest, { metadata, target }: Partial<Binding>): void {
  const name = metadata?.name ?? '';
  if (!info.isCollection && name !== info.name) throw badRequest('name in URL does not match name in Binding object');
  if (name === '') throw badRequest('Name parameter required.');
  const errors = targetErrors(target);
  if (errors.length > 0) throw new ApiError('Unknown', fieldErrorsMessage(errors));
}

function targetErrors(target: Binding['target'] | undefined): FieldError[] {
  const { kind = '', name = '' } = target ?? {};
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required('target.name')] : []),
  ];
}

/** The pod as `decideBinding` takes it. `now` is RFC 3339. */
function boundPod({ metadata, target }: Partial<Binding>, now: string): Pod {
  const { name = '', namespace = '', uid = '', resourceVersion = '', labels, annotations } = metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      creationTimestamp: now,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    },
    spec: { containers: [], nodeName: target?.name ?? '' },
    status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: now }] },
  };
}
