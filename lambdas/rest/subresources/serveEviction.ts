import { badRequest } from '../../objects/apiErrors.ts';
import type { DeleteOptions } from '../../registry/Registry.ts';
import { admitSubresource } from '../admission/admitSubresource.ts';
import { decodeRequest } from '../request/decodeRequest.ts';
import { checkDeleteOptions, type WireDeleteOptions } from '../request/deleteOptions.ts';
import { keyOf } from '../request/requestTarget.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';
import { objectForm, respondStatus } from '../response/respond.ts';
import { refuseEviction } from '../nodeauthorizer/restrictNodeActions.ts';
import { evictPod } from './evictPod.ts';

/** What clients may post. The fields of both versions are the same. */
const EVICTION = { apiVersion: 'policy/v1', kind: 'Eviction', olderVersions: ['policy/v1beta1'] } as const;

/** Answers an Eviction: the pod is deleted if its PodDisruptionBudget allows it, which counts it. Otherwise the answer is 429. */
export async function serveEviction(request: ResourceRequest): Promise<Response> {
  const form = objectForm(request);
  const options = await readOptions(request);
  const { dependencies, info, user } = request;
  const refusal = await refuseEviction({ ...dependencies, user, namespace: info.namespace, name: info.name });
  if (refusal) throw refusal;
  const servesBudgets = (await dependencies.served.find('policy', 'v1', 'poddisruptionbudgets')) !== undefined;
  await evictPod({ ...dependencies, servesBudgets }, keyOf(request), options);
  return respondStatus(
    request.raw,
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
    201,
    form,
  );
}

async function readOptions(request: ResourceRequest): Promise<DeleteOptions> {
  const { info } = request;
  const { dryRun, fieldValidation } = parseWriteOptions(request.query, 'CreateOptions');
  const object = await decodeRequest(request, fieldValidation, EVICTION);
  const eviction = await admitSubresource(request, { operation: 'CREATE', object, dryRun });
  const { name } = eviction.metadata as { name?: string };
  if (name !== undefined && name !== info.name) {
    throw badRequest(`name in URL does not match name in Eviction object: ${info.name} vs ${name}`);
  }
  const given = (eviction['deleteOptions'] ?? {}) as WireDeleteOptions;
  const { options } = checkDeleteOptions(given, request.resource.version);
  // Both the query and the eviction's deleteOptions may ask for a dry run.
  return { ...options, dryRun: dryRun || options.dryRun === true };
}
