import { readFileSync } from 'node:fs'

/** Linux counts a process's time in hundredths of a second, whatever the kernel's own tick. */
const ticksPerSecond = 100

/** User and system time of a process so far, in milliseconds; NaN where there is no /proc. */
export function readCpuMs(pid: number): number {
  const text = readProc(pid, 'stat')
  // The second field is the program's name, which may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** Memory of a process that is in use now, in megabytes; NaN where there is no /proc. */
export function readRssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status'))?.[1]) / 1024
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
