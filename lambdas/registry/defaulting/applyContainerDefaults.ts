import {
  canonicalizeQuantity,
  canonicalizeResourceList,
  childDraft,
  type Draft,
  fillAbsent,
  fillZero,
  itemDrafts,
  presentDraft,
} from './drafts.ts';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** Fills in the defaults of a container, init container or ephemeral container, in a pod or a template. */
export function applyContainerDefaults(container: Draft): void {
  fillZero(container, 'imagePullPolicy', defaultPullPolicy(container['image']));
  fillZero(container, 'terminationMessagePath', '/dev/termination-log');
  fillZero(container, 'terminationMessagePolicy', 'File');
  for (const port of itemDrafts(container, 'ports')) fillZero(port, 'protocol', 'TCP');
  for (const variable of itemDrafts(container, 'env')) applyEnvDefaults(variable);
  const resources = childDraft(container, 'resources');
  canonicalizeResourceList(resources, 'limits');
  canonicalizeResourceList(resources, 'requests');
  for (const probe of PROBES) applyProbeDefaults(presentDraft(container, probe));
  const lifecycle = presentDraft(container, 'lifecycle') ?? {};
  applyHttpGetDefaults(presentDraft(lifecycle, 'postStart'));
  applyHttpGetDefaults(presentDraft(lifecycle, 'preStop'));
}

function applyEnvDefaults(variable: Draft): void {
  if (variable['value'] === '') delete variable['value'];
  const source = presentDraft(variable, 'valueFrom') ?? {};
  applyFieldRefDefaults(source);
}

/** Fills in the defaults of a downward API source, in an environment variable or a volume item. */
export function applyFieldRefDefaults(source: Draft): void {
  const fieldRef = presentDraft(source, 'fieldRef');
  if (fieldRef !== undefined) fillZero(fieldRef, 'apiVersion', 'v1');
  const resourceFieldRef = presentDraft(source, 'resourceFieldRef');
  if (resourceFieldRef === undefined) return;
  fillAbsent(resourceFieldRef, 'divisor', '0');
  canonicalizeQuantity(resourceFieldRef, 'divisor');
}

function applyProbeDefaults(probe: Draft | undefined): void {
  if (probe === undefined) return;
  fillZero(probe, 'timeoutSeconds', 1);
  fillZero(probe, 'periodSeconds', 10);
  fillZero(probe, 'successThreshold', 1);
  fillZero(probe, 'failureThreshold', 3);
  const grpc = presentDraft(probe, 'grpc');
  if (grpc !== undefined) fillAbsent(grpc, 'service', '');
  applyHttpGetDefaults(probe);
}

function applyHttpGetDefaults(handler: Draft | undefined): void {
  const httpGet = handler && presentDraft(handler, 'httpGet');
  if (httpGet === undefined) return;
  fillZero(httpGet, 'path', '/');
  fillZero(httpGet, 'scheme', 'HTTP');
}

const DOMAIN_PART = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const DOMAIN = `(?:${DOMAIN_PART}(?:\\.${DOMAIN_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(
  `^(?:${DOMAIN}/)?${PATH_PART}(?:/${PATH_PART})*(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(${DIGEST}))?$`,
);

/** Returns the tag of an image reference: `latest` if it has neither tag nor digest, undefined if it has only a digest or is not a reference. */
export function imageTag(image: unknown): string | undefined {
  if (typeof image !== 'string' || image.length > 4_096) return undefined;
  const match = REFERENCE.exec(image);
  if (match === null) return undefined;
  const [, tag, digest] = match;
  return tag ?? (digest === undefined ? 'latest' : undefined);
}

/** Returns the default pull policy: `Always` for the tag `latest`, which moves, and `IfNotPresent` for all others. */
export function defaultPullPolicy(image: unknown): 'Always' | 'IfNotPresent' {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}
