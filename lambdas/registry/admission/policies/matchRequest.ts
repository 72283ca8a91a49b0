import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { Labels } from '../../../objects/selectors/labelRequirement.ts';
import { isEmptySelector, matchesLabelSelector } from '../../../objects/selectors/labelSelector.ts';
import type { ResourceEntry } from '../../ResourceEntry.ts';

/** What rules and selectors look at in a request. */
export interface MatchedRequest {
  readonly operation: string;
  readonly entry: ResourceEntry;
  /** The group and version in the request's path. */
  readonly group: string;
  readonly version: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** The kind of the objects: of the subresource if it has one of its own, such as a Scale. */
  readonly kind: RequestedKind;
  /** `''` for what is in no namespace. A Namespace has its own name here. */
  readonly namespace: string;
  readonly name: string;
  readonly object?: KubernetesObject | undefined;
  readonly oldObject?: KubernetesObject | undefined;
}

interface RequestedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** `RuleWithOperations` and `NamedRuleWithOperations`, as validation lets them in. */
export interface MatchRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  readonly resourceNames?: readonly string[];
}

/** The version in which a rule names the resource of a request: what is asked about the request sees its objects in that version. */
export interface Match {
  readonly group: string;
  readonly version: string;
  readonly kind: RequestedKind;
}

/**
 * Finds the first rule that is about the request, and returns the version in which that rule names the request; `undefined` if no rule is about it. Unless `matchPolicy` is `Exact`, a rule
 * about another version of the same resource counts too, if no rule is about the requested version. Follows upstream's `matching.Matcher`. Pure.
 */
export function matchRules(
  rules: readonly MatchRule[],
  request: MatchedRequest,
  matchPolicy: string | undefined,
): Match | undefined {
  const { group, version, kind } = request;
  if (rules.some((rule) => ruleMatches(rule, request))) return { group, version, kind };
  if (matchPolicy === undefined || matchPolicy === 'Exact') return undefined;
  for (const rule of rules)
    for (const other of otherVersions(request))
      if (ruleMatches(rule, { ...request, ...other })) return { ...other, kind: kindIn(request, other) };
  return undefined;
}

interface Version {
  readonly group: string;
  readonly version: string;
}

function otherVersions({ entry, group, version }: MatchedRequest): Version[] {
  const all = entry.custom
    ? entry.custom.servedVersions.map((name) => ({ group: entry.group, version: name }))
    : entry.versions.map((one) => ({ group: one.group ?? entry.group, version: one.version }));
  return all.filter((one) => one.group !== group || one.version !== version);
}

/** The kind of a subresource is the same in every version of its resource. */
function kindIn({ entry, kind, group, version }: MatchedRequest, other: Version): RequestedKind {
  const isOwnKind = kind.kind === entry.kind && kind.group === group && kind.version === version;
  return isOwnKind ? { ...other, kind: entry.kind } : kind;
}

function ruleMatches(rule: MatchRule, request: MatchedRequest): boolean {
  return (
    includes(rule.operations, request.operation) &&
    includes(rule.apiGroups, request.group) &&
    includes(rule.apiVersions, request.version) &&
    rule.resources?.some((resource) => resourceMatches(resource, request)) === true &&
    scopeMatches(rule.scope, request) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(request.name))
  );
}

function includes(allowed: readonly string[] | undefined, asked: string): boolean {
  return allowed?.some((one) => one === '*' || one === asked) === true;
}

// A star for the resource means all of them, without their subresources; a star after the slash means all subresources.
function resourceMatches(text: string, { entry, subresource }: MatchedRequest): boolean {
  const [resource = '', ...rest] = text.split('/');
  const wanted = rest.join('/');
  return (resource === '*' || resource === entry.plural) && (wanted === '*' || wanted === subresource);
}

function scopeMatches(scope: string | undefined, { entry, namespace }: MatchedRequest): boolean {
  if (scope === undefined || scope === '*') return true;
  const isInNamespace = entry.groupResource !== 'namespaces' && namespace !== '';
  return scope === 'Namespaced' ? isInNamespace : scope === 'Cluster' && !isInNamespace;
}

/** True if the selector selects the object or the old object, or everything. Pure. */
export function selectsObjects(selector: LabelSelector | undefined, { object, oldObject }: MatchedRequest): boolean {
  if (isEmptySelector(selector)) return true;
  return [oldObject, object].some((one) => one !== undefined && matchesLabelSelector(selector, labelsOf(one)));
}

/** The labels that a namespace selector looks at, as far as the request tells; `undefined` if the request's namespace must be read. Pure. */
export function namespaceLabels({ operation, entry, subresource, object }: MatchedRequest): Labels | undefined {
  const isWritten = entry.groupResource === 'namespaces' && subresource === '' && operation !== 'DELETE';
  return isWritten && object ? (labelsOf(object) ?? {}) : undefined;
}

/** True if no namespace selector can leave the request out: it selects everything, or the request is about an object in no namespace. Pure. */
export function selectsEveryNamespace(
  selector: LabelSelector | undefined,
  { entry, namespace }: MatchedRequest,
): boolean {
  const isOutside = namespace === '' && entry.groupResource !== 'namespaces';
  return isOutside || isEmptySelector(selector);
}

function labelsOf({ metadata }: KubernetesObject): Labels | undefined {
  return (metadata as Partial<KubernetesObject['metadata']> | undefined)?.labels;
}
