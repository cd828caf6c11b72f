/** How a mapping file names the sample table `api_keys`. @param workspace its column of the workspace. */
export function mapKeys(workspace: string, ...grant: ('registration.read' | 'invoices.read')[]) {
  return {
    table: 'api_keys',
    hash: { column: 'key_hash', algorithm: 'sha256', encoding: 'hex' } as const,
    workspace,
    scopes: { grant },
  }
}
