import type { FieldError } from '../../objects/FieldError.ts';
import { forbidden, notSupported, required } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent, textOf, textsOf } from '../validation/fieldsOf.ts';
import { reviewVersions } from '../validation/admission/reviewVersions.ts';
import { webhookClientConfig } from '../validation/admission/webhookClientConfig.ts';

interface ConversionFields {
  readonly strategy: string;
  readonly webhook: unknown;
}

interface WebhookFields {
  readonly clientConfig: unknown;
  readonly conversionReviewVersions: unknown;
}

/** Returns the errors of the conversion between versions: Kubernetes' `validateCustomResourceConversion`. Pure. */
export function validateConversion(conversion: unknown, path: string): FieldError[] {
  if (!isPresent(conversion)) return [];
  const { strategy, webhook } = fieldsOf<ConversionFields>(conversion);
  const { clientConfig, conversionReviewVersions } = fieldsOf<WebhookFields>(webhook);
  const name = textOf(strategy);
  const strategyErrors =
    name === ''
      ? [required(`${path}.strategy`)]
      : ['None', 'Webhook'].includes(name)
        ? []
        : [notSupported(`${path}.strategy`, name, ['None', 'Webhook'])];
  if (name === 'Webhook')
    return [
      ...(isPresent(clientConfig)
        ? webhookClientConfig(clientConfig, `${path}.webhookClientConfig`)
        : [required(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook')]),
      ...reviewVersions()(conversionReviewVersions, `${path}.conversionReviewVersions`),
    ];
  const why = 'should not be set when strategy is not set to Webhook';
  return [
    ...strategyErrors,
    ...(isPresent(clientConfig) ? [forbidden(`${path}.webhookClientConfig`, why)] : []),
    ...(textsOf(conversionReviewVersions).length > 0 ? [forbidden(`${path}.conversionReviewVersions`, why)] : []),
  ];
}
