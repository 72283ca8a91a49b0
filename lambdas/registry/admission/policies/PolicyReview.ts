import type { MatchResources, ValidatingAdmissionPolicySpec } from 'kubernetes-types/admissionregistration/v1.js';
import type { ApiError } from '../../../objects/ApiError.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { AdmissionAttributes } from '../dynamic/AdmissionAttributes.ts';
import { AccessAnswers } from './AccessAnswers.ts';
import { admissionRequest } from './admissionRequest.ts';
import { bindParameters, findParamResource, type ParamResource, unknownParamKind } from './bindParameters.ts';
import { type Denial, denialError, denialsOf, failureOf, VALIDATION_FAILURE, warningOf } from './Denial.ts';
import { PublishedAnnotations } from './PublishedAnnotations.ts';
import type { Match } from './matchRequest.ts';
import { matchResources } from './matchResources.ts';
import type { Binding, Policy, PolicyAdmissionParts } from './Policy.ts';
import { compileValidatingPolicy, type PolicyResult, type ValidatingPolicy } from './ValidatingPolicy.ts';

/** Each policy's expressions, compiled once for a version of it. */
const compiledPolicies = new WeakMap<ValidatingAdmissionPolicySpec, ValidatingPolicy>();

function compiledOf({ spec }: Policy): ValidatingPolicy {
  const compiled = compiledPolicies.get(spec) ?? compileValidatingPolicy(spec);
  compiledPolicies.set(spec, compiled);
  return compiled;
}

/** One request, as policies look at it. What several of them need is read once. Follows upstream's `validating.dispatcher`. */
export class PolicyReview {
  readonly #parts: PolicyAdmissionParts;
  readonly #attributes: AdmissionAttributes;
  readonly #answers: AccessAnswers;
  #namespace: Promise<KubernetesObject | undefined> | undefined;

  constructor(parts: PolicyAdmissionParts, attributes: AdmissionAttributes) {
    this.#parts = parts;
    this.#attributes = attributes;
    this.#answers = new AccessAnswers(attributes.user, attributes.allows);
  }

  /** Asks every policy that is bound. The first denial refuses the request; those that only warn, warn. */
  async run(policies: readonly Policy[], bindings: readonly Binding[]): Promise<ApiError | undefined> {
    const denials: Denial[] = [];
    for (const policy of policies) {
      const own = bindings.filter(({ spec }) => spec.policyName === policy.name);
      if (own.length > 0) denials.push(...(await this.#ask(policy, own)));
    }
    for (const denial of denials) this.#tell(denial);
    const refusal = denials.find(({ actions }) => actions.includes('Deny'));
    return refusal && denialError(this.#attributes, refusal);
  }

  #tell(denial: Denial): void {
    const { warn, annotate } = this.#attributes;
    if (denial.actions.includes('Warn')) warn(warningOf(denial));
    if (annotate && denial.actions.includes('Audit')) annotate(VALIDATION_FAILURE, failureOf(denial));
  }

  async #ask(policy: Policy, bindings: readonly Binding[]): Promise<Denial[]> {
    const { spec } = policy;
    const matched = await this.#matches(spec.matchConstraints ?? {});
    if (matched.status === 'other') return [];
    const resource = spec.paramKind && (await findParamResource(this.#parts.catalog, spec.paramKind));
    const unknown = spec.paramKind && !resource ? unknownParamKind(spec.paramKind) : undefined;
    if (matched.status === 'failed') return cannotAct(policy, undefined, matched.error);
    if (unknown !== undefined) return cannotAct(policy, undefined, unknown);
    const denials: Denial[] = [];
    const annotations = new PublishedAnnotations();
    for (const binding of bindings)
      denials.push(...(await this.#askBound(policy, binding, matched.match, resource, annotations)));
    if (this.#attributes.annotate) annotations.publish(policy.name, this.#attributes.annotate);
    return denials;
  }

  async #askBound(
    policy: Policy,
    binding: Binding,
    match: Match,
    resource: ParamResource | undefined,
    annotations: PublishedAnnotations,
  ): Promise<Denial[]> {
    const { matchResources: where, paramRef } = binding.spec;
    const matched = where ? await this.#matches(where) : ({ status: 'matches' } as const);
    if (matched.status === 'other') return [];
    if (matched.status === 'failed') return cannotAct(policy, binding, matched.error);
    const { namespace } = this.#attributes;
    const bound = await bindParameters(this.#parts.objectStore, resource, paramRef, namespace);
    if (bound.status === 'failed') return cannotAct(policy, binding, bound.error);
    const denials: Denial[] = [];
    for (const params of bound.parameters) {
      const result = await this.#evaluate(policy, match, params);
      annotations.add(result);
      denials.push(
        ...denialsOf({ policy: policy.name, binding: binding.name }, result, binding.spec.validationActions),
      );
    }
    return denials;
  }

  #matches(resources: MatchResources) {
    return matchResources(resources, this.#attributes, () => this.#readNamespace());
  }

  #readNamespace(): Promise<KubernetesObject | undefined> {
    this.#namespace ??= this.#parts.namespace(this.#attributes.namespace);
    return this.#namespace;
  }

  async #evaluate(policy: Policy, match: Match, params: KubernetesObject | undefined): Promise<PolicyResult> {
    const { entry, namespace, object, oldObject, budget } = this.#attributes;
    const compiled = compiledOf(policy);
    const isInNamespace = namespace !== '' && entry.groupResource !== 'namespaces';
    const showsNamespace = isInNamespace && compiled.names.has('namespaceObject');
    const inVersion = (one: KubernetesObject | undefined) =>
      one && this.#attributes.inVersion(one, match.group, match.version);
    const input = {
      object: await inVersion(object),
      oldObject: await inVersion(oldObject),
      request: admissionRequest(this.#attributes, match),
      namespaceObject: showsNamespace ? await this.#readNamespace() : undefined,
      params,
      budget,
    };
    return await this.#answers.evaluate((authorizer) => compiled.evaluate({ ...input, authorizer }));
  }
}

/** A policy or a binding that cannot act denies the request, unless the policy is to be passed over then. */
function cannotAct(policy: Policy, binding: Binding | undefined, error: string): Denial[] {
  if (policy.spec.failurePolicy === 'Ignore') return [];
  const names = { policy: policy.name, ...(binding && { binding: binding.name }) };
  const message = `failed to configure ${binding ? 'binding' : 'policy'}: ${error}`;
  return [{ ...names, message, reason: 'Invalid', actions: ['Deny'], expressionIndex: 0 }];
}
