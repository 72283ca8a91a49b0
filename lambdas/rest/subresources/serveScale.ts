import { conflict, invalid, notFound } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { SubresourceView } from '../../registry/admission/dynamic/RequestAttributes.ts';
import type { ScaleRules } from '../../registry/ResourceEntry.ts';
import { attributesOf } from '../request/admitAs.ts';
import { decodeRequest, decodePatchRequest } from '../request/decodeRequest.ts';
import { requireObject } from '../verbs/serveGet.ts';
import { type AppliedScale, applyScale, scaleTracker } from './scaleTracker.ts';
import { CONFLICT_ATTEMPTS, isApply, readApply } from '../verbs/serveApply.ts';
import { checkNameAndNamespace, keyOf } from '../request/requestTarget.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { negotiate, type Negotiated } from '../response/negotiate.ts';
import { respondTable, respondValue, tableRequest } from '../response/respond.ts';
import { scaleTable } from '../../registry/resources/scaleRules.ts';
import { methodNotAllowed, unknownResource } from '../response/statusOf.ts';
import { toTable } from '../response/toTable.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';

/** Answers requests for the scale subresource: an autoscaling/v1 Scale that shows and sets the object's replica count. */
export async function serveScale(request: ResourceRequest): Promise<Response> {
  const rules = request.resource.entry.scale;
  if (!rules) throw unknownResource();
  const form = negotiate(request.raw.headers.get('accept'), ['Table']);
  switch (request.info.verb) {
    case 'get':
      return respondScale(request, scaleOf(rules, await readScaled(request, rules)), form);
    case 'update':
      return updateScale(request, rules, form);
    case 'patch':
      return patchScale(request, rules, form);
    default:
      throw methodNotAllowed();
  }
}

/** Reads the object whose scale is asked for. Throws NotFound, which names the subresource of a built-in kind. */
async function readScaled(request: ResourceRequest, rules: ScaleRules): Promise<KubernetesObject> {
  if (rules.isCustom === true) return requireObject(request);
  const { plural, group } = request.resource.entry;
  const object = await request.dependencies.registry.get(keyOf(request));
  if (!object) throw notFound(`${plural}/scale.${group || rules.group}`, request.info.name);
  return object;
}

async function updateScale(request: ResourceRequest, rules: ScaleRules, form: Negotiated): Promise<Response> {
  const { dryRun, fieldValidation, fieldManager } = parseWriteOptions(request.query, 'UpdateOptions');
  const scale = await decodeRequest(request, fieldValidation, scaleKind(rules));
  const pinned = ((scale.metadata as Partial<KubernetesObject['metadata']>).resourceVersion ?? '') !== '';
  const fieldTracker = scaleTracker(request, fieldManager, (object) => patchedScale(rules, object));
  return writeScale(request, rules, { dryRun, pinned, form }, () => ({ scale, fieldTracker }));
}

async function patchScale(request: ResourceRequest, rules: ScaleRules, form: Negotiated): Promise<Response> {
  if (isApply(request.raw)) return serveScaleApply(request, rules, form);
  const { dryRun, fieldValidation, fieldManager } = parseWriteOptions(request.query, 'PatchOptions');
  const patch = await decodePatchRequest(request, fieldValidation, scaleKind(rules));
  // The patched scale has the version that was read. If the patch sets another one, checkScale refuses it as stale.
  const fieldTracker = scaleTracker(request, fieldManager, (object) => patchedScale(rules, object));
  return writeScale(request, rules, { dryRun, pinned: false, form }, (current) => ({
    scale: patch(patchedScale(rules, current)),
    fieldTracker,
  }));
}

async function serveScaleApply(request: ResourceRequest, rules: ScaleRules, form: Negotiated): Promise<Response> {
  const { apiVersion, kind } = scaleKind(rules);
  const options = await readApply(request, apiVersion, kind);
  return writeScale(request, rules, { dryRun: options.dryRun, pinned: false, form }, (current) =>
    applyScale(request, options, current, patchedScale(rules, current)),
  );
}

/** Sets the replicas of the scale that `scaleFor` returns for the current object. If that scale has a resourceVersion, it must be the object's. */
async function writeScale(
  request: ResourceRequest,
  rules: ScaleRules,
  { dryRun, pinned, form }: { readonly dryRun: boolean; readonly pinned: boolean; readonly form: Negotiated },
  scaleFor: (current: KubernetesObject) => AppliedScale,
): Promise<Response> {
  const { registry, authorizer } = request.dependencies;
  const asked = { ...attributesOf({ ...request, authorizer }), view: scaleView(rules) };
  for (let attempt = 1; ; attempt++) {
    const begun = request.budget.attempt();
    const current = await requireObject(request);
    const { scale, fieldTracker } = scaleFor(current);
    checkScale(request, rules, scale, current);
    const draft = structuredClone(current);
    rules.setReplicas(draft, (scale['spec'] as { replicas?: number } | undefined)?.replicas ?? 0);
    const options = { dryRun, from: current, fieldTracker, request: asked };
    const outcome = await registry.update(request.resource.entry.groupResource, draft, options);
    if (outcome.status === 'stored') return respondScale(request, scaleOf(rules, outcome.object), form);
    if (outcome.error.reason !== 'Conflict' || pinned || attempt >= CONFLICT_ATTEMPTS) throw outcome.error;
    begun.undo();
  }
}

/** Webhooks and policies see the scales, before and after, and not the objects. */
function scaleView(rules: ScaleRules): SubresourceView {
  const { group, version, kind } = rules;
  return {
    kind: { group, version, kind },
    show: (object) => patchedScale(rules, object),
    take: (draft, scale) =>
      rules.setReplicas(draft, (scale['spec'] as { replicas?: number } | undefined)?.replicas ?? 0),
  };
}

function respondScale(request: ResourceRequest, scale: KubernetesObject, form: Negotiated): Response {
  if (form.transform !== 'Table') return respondValue(request.raw, scale, 200, form);
  const metadata = { resourceVersion: scale.metadata.resourceVersion };
  return respondTable(request.raw, form, toTable(tableRequest(request, form), [scale], metadata, true, scaleTable));
}

function checkScale(
  request: ResourceRequest,
  { isCustom }: ScaleRules,
  scale: KubernetesObject,
  current: KubernetesObject,
): void {
  checkNameAndNamespace(request, scale);
  const { groupResource } = request.resource.entry;
  const { resourceVersion = '', uid = '' } = scale.metadata as Partial<KubernetesObject['metadata']>;
  const stale = resourceVersion !== '' && resourceVersion !== current.metadata.resourceVersion;
  if (stale) throw conflict(groupResource, request.info.name);
  if (uid !== '' && uid !== current.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`;
    throw conflict(groupResource, request.info.name, why);
  }
  const replicas = (scale['spec'] as { replicas?: number } | undefined)?.replicas ?? 0;
  // A custom object is checked as a whole, which also names the path.
  if (replicas >= 0 || isCustom) return;
  const detail = 'must be greater than or equal to 0';
  throw invalid('Scale.autoscaling', request.info.name, [
    { type: 'FieldValueInvalid', field: 'spec.replicas', badValue: replicas, detail },
  ]);
}

function scaleKind({ group, version, kind }: ScaleRules) {
  return { apiVersion: `${group}/${version}`, kind };
}

/** The scale that a patch is applied to. A custom object without wanted replicas can get them by a patch. */
function patchedScale(rules: ScaleRules, object: KubernetesObject): KubernetesObject {
  if (rules.hasReplicas?.(object) !== false) return scaleOf(rules, object);
  const draft = structuredClone(object);
  rules.setReplicas(draft, 0);
  return scaleOf(rules, draft);
}

function scaleOf(rules: ScaleRules, object: KubernetesObject): KubernetesObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const { spec, status, selector } = rules.replicas(object);
  const showsZero = rules.isCustom === true;
  return {
    ...scaleKind(rules),
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: spec === 0 && !showsZero ? {} : { replicas: spec },
    status: { replicas: status, ...(selector !== '' && { selector }) },
  };
}
