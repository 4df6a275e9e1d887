/** A search without a result, with the server's reason (diagnostics-19). */
export function NotFound({ title, children }: { title: string; children: string | null }) {
  return (
    <div className="border-y border-line py-3">
      <p className="font-semibold">{title}</p>
      {children && <p className="text-ink-2">{children}</p>}
    </div>
  )
}
