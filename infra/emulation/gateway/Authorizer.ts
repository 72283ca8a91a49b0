import type { EmulatedFunction } from '../functions/EmulatedFunction.ts';
import { isAllowed, type PolicyStatement } from '../iam/isAllowed.ts';
import type { ApiSpec } from '../template/readApi.ts';
import { eventOf, type GatewayRequest, headerValues, methodArn } from './GatewayRequest.ts';

export type Authorization =
  | { readonly status: 'allowed'; readonly context: Readonly<Record<string, unknown>> }
  /** A gateway response: `UNAUTHORIZED`, `ACCESS_DENIED`, `AUTHORIZER_FAILURE`, `AUTHORIZER_CONFIGURATION_ERROR`. */
  | { readonly status: 'refused'; readonly type: string };

interface Policy {
  readonly principalId: string;
  readonly policyDocument: { readonly Statement: readonly PolicyStatement[] };
  readonly context?: Readonly<Record<string, string | number | boolean>>;
}

/** If the authorizer function fails with this message, API Gateway answers with 401. */
const UNAUTHORIZED = 'Unauthorized';
/** The cache is cleared when it has this many entries. */
const MAX_CACHED = 10_000;

/** API Gateway's part of a REQUEST authorizer: invokes the function and caches its policy by the values of the identity headers. */
export class Authorizer {
  readonly #api: ApiSpec;
  readonly #target: EmulatedFunction;
  readonly #cache = new Map<string, { readonly policy: Policy; readonly untilMs: number }>();

  constructor(api: ApiSpec, target: EmulatedFunction) {
    this.#api = api;
    this.#target = target;
  }

  async authorize(request: GatewayRequest): Promise<Authorization> {
    const { identityHeaders, cacheMs } = this.#api.authorizer;
    const identity = identityHeaders.map((name) => headerValues(request, name));
    if (identity.some((values) => values.every((value) => value === ''))) {
      return refused('UNAUTHORIZED');
    }
    const cacheKey = JSON.stringify(identity);
    const known = this.#cache.get(cacheKey);
    if (known && known.untilMs > request.receivedAtMs) return this.#judge(known.policy, request);
    const asked = await this.#ask(request);
    if (typeof asked === 'string') return refused(asked);
    if (cacheMs > 0) this.#remember(cacheKey, asked, request.receivedAtMs + cacheMs);
    return this.#judge(asked, request);
  }

  /** Returns the function's policy, or the type of the gateway response for its failure. */
  async #ask(request: GatewayRequest): Promise<Policy | string> {
    const event = { type: 'REQUEST', methodArn: methodArn(this.#api, request), ...eventOf(this.#api, request) };
    const answer = await this.#target.invoke(JSON.stringify(event));
    if (answer.status === 'failed' && answer.failure.errorMessage === UNAUTHORIZED) return 'UNAUTHORIZED';
    if (answer.status !== 'returned') return 'AUTHORIZER_FAILURE';
    const policy = JSON.parse(answer.result ?? 'null') as Partial<Policy> | null;
    const isWhole = typeof policy?.principalId === 'string' && Array.isArray(policy.policyDocument?.Statement);
    const isFlat = Object.values(policy?.context ?? {}).every((value) => typeof value !== 'object');
    return isWhole && isFlat ? (policy as Policy) : 'AUTHORIZER_CONFIGURATION_ERROR';
  }

  #remember(cacheKey: string, policy: Policy, untilMs: number): void {
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(cacheKey, { policy, untilMs });
  }

  #judge({ policyDocument, principalId, context }: Policy, request: GatewayRequest): Authorization {
    const arn = methodArn(this.#api, request);
    if (!isAllowed(policyDocument.Statement, 'execute-api:Invoke', arn)) return refused('ACCESS_DENIED');
    // API Gateway passes the values to the integration as strings.
    const texts = Object.entries(context ?? {}).map(([name, value]) => [name, String(value)]);
    return { status: 'allowed', context: { principalId, integrationLatency: 0, ...Object.fromEntries(texts) } };
  }
}

function refused(type: string): Authorization {
  return { status: 'refused', type };
}
