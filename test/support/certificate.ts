import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterFile } from './after-file.js'

/** The certificate of a local server, which is its own authority. */
export type Certificate = ReturnType<typeof createCertificate>

/**
 * Makes a certificate that a server program can read; it is removed when the test file is done.
 *
 * @param root of the program.
 */
export function createCertificate(
  subjectAltName: string,
  { root = '', commonName = 'vitrine test' }: { root?: string; commonName?: string } = {},
) {
  const folder = mkdtempSync(join(root, root === '' ? tmpdir() : '/tmp', 'vitrine-tls-'))
  chmodSync(folder, 0o755)
  afterFile(() => {
    rmSync(folder, { recursive: true })
  })
  const [file, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const renew = (name: string): void => {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-days', '2', '-subj', `/CN=${commonName}`, '-addext', `subjectAltName=${name}`],
        ...['-keyout', key, '-out', file],
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    chmodSync(key, 0o644)
  }
  renew(subjectAltName)
  return {
    /** A file name for `DATABASE_TLS_CA`. */
    file,
    /** The key of the certificate, which is one of a client too. */
    key,
    /** Options that start the server with it. */
    options: [
      '--skip-log-bin',
      `--ssl-ca=${file.slice(root.length)}`,
      `--ssl-cert=${file.slice(root.length)}`,
      `--ssl-key=${key.slice(root.length)}`,
    ],
    /** Makes another certificate in the same files, such as for `IP:127.0.0.1`. */
    renew,
  }
}
