/** One key for each case that an API key can be in. They open nothing but throwaway databases. */
export const keys = {
  both: 'evk_6Tx6r47lhsip1n3AEA210r2SFLXOnv5KxkFczvmeWBm0bQUrH',
  registrations: 'evk_sd6tuTbjL2uzgjAVnQcfVqUpVAuk5F6CpGEVYFjEMTS2PWxZO',
  invoices: 'evk_KOIZAZQsBQa6UxQfuhPYOQQGrsf2ZrTKaq9PGzVaUCc3esl6H',
  expired: 'evk_GZ6tvTnV3Wd08eWylH3s7ZWtiGOm8h8ElxnjS5MuEx61AUDwZ',
  revoked: 'evk_pVaA3WUoTdGAJfo2K3Zns24zPfOwi5CLW2HWwvH8bMV0UptJZ',
  other: 'evk_lrJbOhvaiPNHbItVnTvJgyTcexrMOX1NjBjAORAVuIQ0ryP5D',
  empty: 'evk_guIKBpNB0Pq2JrHHz37LCA5Ho7Osvewwl9QNIPPIB5f3nVJut',
} as const
