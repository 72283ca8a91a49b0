/**
 * Keeps a private key as text: the one that signs the tokens of service accounts, a JSON Web Key, or that of the cluster's certificate authority. It is made once, for all processes of a control plane and for its
 * whole life: a token or certificate must stay valid after a restart.
 */
export interface SigningKeys {
  /** Returns the key that is kept; `undefined` as long as none was made. */
  read(): Promise<string | undefined>;
  /** Keeps this key unless one is kept already. Returns the key that is kept, so all processes that make one at the same time use the same. */
  keep(made: string): Promise<string>;
}
