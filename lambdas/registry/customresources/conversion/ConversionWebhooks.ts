import type { WebhookClientConfig } from 'kubernetes-types/apiextensions/v1.js';
import { ApiError } from '../../../objects/ApiError.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import type { Ids } from '../../../ports/Ids.ts';
import { callWebhook, type WebhookCalls } from '../../admission/webhooks/callWebhook.ts';
import { checkConverted, decodeConversionReview, encodeConversionReview } from './conversionReview.ts';

/** How the objects of a custom resource get from one version to another. One object for each version of a definition. */
export interface WebhookConversion {
  readonly clientConfig: WebhookClientConfig;
  /** The versions of ConversionReview that the webhook wants, the first first. */
  readonly reviewVersions: readonly string[];
}

/** Kubernetes' timeout for conversion webhooks. */
const TIMEOUT_MS = 30_000;

/** Converts custom objects by the webhooks of their definitions. What was converted once is remembered for as long as the object itself is: watchers of one change share one call. */
export class ConversionWebhooks {
  readonly #calls: WebhookCalls & { readonly ids: Ids };
  readonly #converted = new WeakMap<WebhookConversion, WeakMap<KubernetesObject, Map<string, KubernetesObject>>>();

  constructor(calls: WebhookCalls & { readonly ids: Ids }) {
    this.#calls = calls;
  }

  /**
   * Returns the objects in this apiVersion, in the same order; the results must not be changed. Asks the webhook once for all that are in another. Throws an ApiError with the code 500, in Kubernetes'
   * words, if it cannot convert them. `budget`: of the write that the objects are for. What is read draws on none: a list is never refused for being long, and an answer has a limit of its own.
   */
  async convert(
    conversion: WebhookConversion,
    objects: readonly KubernetesObject[],
    apiVersion: string,
    budget?: RequestBudget,
  ): Promise<readonly KubernetesObject[]> {
    const known = this.#knownOf(conversion);
    const isMissing = (object: KubernetesObject) =>
      object.apiVersion !== apiVersion && !known.get(object)?.has(apiVersion);
    const missing = [...new Set(objects.filter(isMissing))];
    const converted = missing.length === 0 ? [] : await this.#ask(conversion, missing, apiVersion, budget);
    for (const [index, object] of missing.entries()) {
      const versions = known.get(object) ?? new Map<string, KubernetesObject>();
      versions.set(apiVersion, converted[index] as KubernetesObject);
      known.set(object, versions);
    }
    return objects.map((object) => known.get(object)?.get(apiVersion) ?? object);
  }

  #knownOf(conversion: WebhookConversion): WeakMap<KubernetesObject, Map<string, KubernetesObject>> {
    const known = this.#converted.get(conversion) ?? new WeakMap<KubernetesObject, Map<string, KubernetesObject>>();
    this.#converted.set(conversion, known);
    return known;
  }

  async #ask(
    { clientConfig, reviewVersions }: WebhookConversion,
    objects: readonly KubernetesObject[],
    apiVersion: string,
    budget: RequestBudget | undefined,
  ): Promise<readonly KubernetesObject[]> {
    const [first] = objects;
    const failure = (why: string) =>
      new ApiError('Unknown', `conversion webhook for ${first?.apiVersion}, Kind=${first?.kind} ${why}`);
    const uid = this.#calls.ids.uid();
    const review = encodeConversionReview(reviewVersions, uid, apiVersion, objects);
    const timing = { timeoutMs: TIMEOUT_MS, tellsTimeout: true, ...(budget && { budget }) };
    const answer = await callWebhook(this.#calls, clientConfig, review, timing);
    if (answer.status === 'failed') throw failure(`failed: ${answer.why}`);
    const decoded = decodeConversionReview(answer.review, reviewVersions, uid);
    if (decoded.status === 'failed') throw failure(`failed: ${decoded.why}`);
    if (decoded.objects.length !== objects.length)
      throw failure(`returned ${decoded.objects.length} objects, expected ${objects.length}`);
    return objects.map((object, index) => {
      const checked = checkConverted(object, decoded.objects[index], apiVersion, index);
      if (checked.status === 'invalid') throw failure(`returned invalid ${checked.why}`);
      return checked.object;
    });
  }
}
