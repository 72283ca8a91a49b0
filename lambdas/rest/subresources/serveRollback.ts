import { badRequest, invalid } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyDeploymentRollback, validateDeploymentRollback } from '../../registry/versions/deploymentRollback.ts';
import type { TrackedOptions } from '../../registry/Registry.ts';
import { admitSubresource } from '../admission/admitSubresource.ts';
import { decodeRequest } from '../request/decodeRequest.ts';
import { trackerOf } from '../request/fieldWriter.ts';
import { requireObject } from '../verbs/serveGet.ts';
import { CONFLICT_ATTEMPTS } from '../verbs/serveApply.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { respondValue, valueForm } from '../response/respond.ts';
import { methodNotAllowed, unknownResource } from '../response/statusOf.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';

/** The versions that have the subresource. In apps/v1 only the annotation is left. */
const VERSIONS = new Set(['extensions/v1beta1', 'apps/v1beta1']);

/** Answers `POST deployments/NAME/rollback`: asks the deployment controller to go back to an earlier revision. */
export async function serveRollback(request: ResourceRequest): Promise<Response> {
  const { info, resource } = request;
  if (!VERSIONS.has(resource.apiVersion)) throw unknownResource();
  if (info.verb !== 'create') throw methodNotAllowed();
  const form = valueForm(request.raw);
  const { dryRun, fieldValidation, fieldManager } = parseWriteOptions(request.query, 'CreateOptions');
  const kind = { apiVersion: resource.apiVersion, kind: 'DeploymentRollback' };
  const object = await decodeRequest(request, fieldValidation, kind);
  const rollback = await admitSubresource(request, { operation: 'CREATE', object, dryRun });
  checkRollback(request, rollback);
  const fieldTracker = trackerOf(request, fieldManager);
  await requestRollback(request, rollback, { dryRun, fieldTracker });
  const message = `rollback request for deployment "${info.name}" succeeded`;
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', message, code: 200 };
  return respondValue(request.raw, status, 200, form);
}

function checkRollback({ info }: ResourceRequest, rollback: KubernetesObject): void {
  const errors = validateDeploymentRollback(rollback);
  const name = rollback['name'];
  const title = typeof name === 'string' ? name : '';
  if (errors.length > 0) throw invalid('DeploymentRollback.extensions', title, errors);
  if (title !== info.name)
    throw badRequest(`name in URL does not match name in DeploymentRollback object: ${info.name} vs ${title}`);
}

async function requestRollback(request: ResourceRequest, rollback: unknown, options: TrackedOptions): Promise<void> {
  const { registry } = request.dependencies;
  for (let attempt = 1; ; attempt++) {
    const current = await requireObject(request);
    const draft = structuredClone(current);
    applyDeploymentRollback(draft, rollback);
    const outcome = await registry.update(request.resource.entry.groupResource, draft, { ...options, from: current });
    if (outcome.status === 'stored') return;
    if (outcome.error.reason !== 'Conflict' || attempt >= CONFLICT_ATTEMPTS) throw outcome.error;
  }
}
