import type { CertificateAuthority, CertificateRequest, CertificateTerms } from '../../ports/CertificateAuthority.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { SigningKeys } from '../../ports/SigningKeys.ts';
import type { KubeletCredentials } from '../../ports/BackendConnections.ts';
import type { CertificateAndKey, ServerNames, X509Authority } from './X509Authority.ts';

export interface KeptAuthorityOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Keeps the authority's certificate and key, as JSON. */
  readonly keys: SigningKeys;
}

interface Opened {
  readonly own: CertificateAndKey;
  readonly authority: X509Authority;
}

/** The authority of a cluster of several processes: the first that needs it makes it. It is read, and its library loaded, when it is first used. */
export class KeptAuthority implements CertificateAuthority {
  readonly #options: KeptAuthorityOptions;
  #opened: Promise<Opened> | undefined;

  constructor(options: KeptAuthorityOptions) {
    this.#options = options;
  }

  async decodeRequest(base64: string): Promise<CertificateRequest | undefined> {
    return await (await this.#open()).authority.decodeRequest(base64);
  }

  async sign(request: CertificateRequest, terms: CertificateTerms): Promise<string> {
    return await (await this.#open()).authority.sign(request, terms);
  }

  /** The certificate by which others recognize what the authority has signed; in PEM. */
  async certificate(): Promise<string> {
    return (await this.#open()).own.certificate;
  }

  /** Makes the authority of proxies that pass requests on to extension servers, without its key; resolves to its certificate, in PEM. */
  async createProxyAuthority(): Promise<string> {
    const { createProxyAuthority } = await import('./clusterCertificates.ts');
    return await createProxyAuthority(this.#options.clock.now());
  }

  /** Issues what the API server shows to kubelets, valid for a year, and says how it knows theirs. */
  async kubeletCredentials(): Promise<KubeletCredentials> {
    const { own, authority } = await this.#open();
    const { issueKubeletClient } = await import('./clusterCertificates.ts');
    const client = await issueKubeletClient(authority, this.#options.clock.now());
    return { ...client, authority: own.certificate };
  }

  /** Issues what the API server shows to its clients under these names, valid for a year. */
  async issueServing(names: ServerNames): Promise<CertificateAndKey> {
    const { authority } = await this.#open();
    const { issueServing } = await import('./clusterCertificates.ts');
    return await issueServing(authority, names, this.#options.clock.now());
  }

  /** What failed is tried again by the next caller. */
  #open(): Promise<Opened> {
    return (this.#opened ??= open(this.#options).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    }));
  }
}

async function open({ clock, keys }: KeptAuthorityOptions): Promise<Opened> {
  const [{ X509Authority: Authority }, { createClusterAuthority }] = await Promise.all([
    import('./X509Authority.ts'),
    import('./clusterCertificates.ts'),
  ]);
  const kept = (await keys.read()) ?? (await keys.keep(JSON.stringify(await createClusterAuthority(clock.now()))));
  const own = JSON.parse(kept) as CertificateAndKey;
  return { own, authority: new Authority(own) };
}
