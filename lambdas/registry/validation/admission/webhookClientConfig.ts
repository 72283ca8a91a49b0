import type { FieldError } from '../../../objects/FieldError.ts';
import { isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import type { Check } from '../checks.ts';
import { invalid, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, textOf } from '../fieldsOf.ts';
import { parseGoUrl } from './parseGoUrl.ts';

interface ServiceFields {
  readonly name: string;
  readonly namespace: string;
  readonly path: string;
  readonly port: number;
}

const HIGHEST_PORT = 65_535;

/** Checks how a webhook is reached, of admission or of a conversion: by one of a URL and a service. */
export const webhookClientConfig: Check = (config, path) => {
  const { url, service } = fieldsOf<{ url: string; service: unknown }>(config);
  if (isPresent(url) === isPresent(service)) return [required(path, 'exactly one of url or service is required')];
  return isPresent(url) ? urlErrors(textOf(url), `${path}.url`) : serviceErrors(service, `${path}.service`);
};

/** Kubernetes' `ValidateWebhookURL`: https, with a host, and nothing of a user, a query or a fragment. */
function urlErrors(text: string, path: string): FieldError[] {
  const form = '; desired format: https://host[/path]';
  const url = parseGoUrl(text);
  if ('error' in url) return [required(path, `url must be a valid URL: ${url.error}${form}`)];
  const { scheme, host, user, fragment, query } = url;
  return [
    ...(scheme === 'https' ? [] : [invalid(path, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(host === '' ? [invalid(path, host, `host must be specified${form}`)] : []),
    ...(user === undefined ? [] : [invalid(path, user, 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalid(path, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalid(path, query, 'query parameters are not permitted in the URL')]),
  ];
}

/** Kubernetes' `ValidateWebhookService`. Its callers give it the name for the namespace and the namespace for the name, so the error about one of them names the other. */
function serviceErrors(service: unknown, path: string): FieldError[] {
  const { name, namespace, port, path: urlPath } = fieldsOf<ServiceFields>(service);
  return [
    ...(textOf(namespace) === '' ? [required(`${path}.name`)] : []),
    ...(textOf(name) === '' ? [required(`${path}.namespace`)] : []),
    ...(typeof port === 'number' && (port < 1 || port > HIGHEST_PORT)
      ? [invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive')]
      : []),
    ...pathErrors(textOf(urlPath), `${path}.path`),
  ];
}

function pathErrors(text: string, path: string): FieldError[] {
  if (text === '' || text === '/') return [];
  if (text === '//') return [invalid(path, text, 'segment[0] may not be empty')];
  const start = text.startsWith('/') ? [] : [invalid(path, text, "must start with a '/'")];
  const segments = text.slice(1).replace(/\/$/, '').split('/');
  const errors = segments.flatMap((segment, index) => {
    const why = segment === '' ? ['may not be empty'] : isDns1123Subdomain(segment);
    return why.map((one) =>
      invalid(path, text, segment === '' ? `segment[${index}] ${one}` : `segment[${index}]: ${one}`),
    );
  });
  return [...start, ...errors];
}
