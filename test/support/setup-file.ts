// Loaded by Vitest before each test file.
import { afterAll } from 'vitest'
import { closeAll } from './after-file.js'

afterAll(closeAll)
