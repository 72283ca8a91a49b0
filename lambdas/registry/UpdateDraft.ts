import { ApiError } from '../objects/ApiError.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';

/** The object that an update asks for, before mutating webhooks see it. */
export type UpdateDraft =
  | { readonly status: 'drafted'; readonly draft: KubernetesObject }
  | { readonly status: 'refused'; readonly error: ApiError };
