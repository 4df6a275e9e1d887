import { Button } from '../controls/Button.tsx'
import { Form, SubmitButton } from '../controls/Form.tsx'
import { Dialog } from './Dialog.tsx'
import type { DialogProps } from './DialogPanel.tsx'

interface FormDialogProps extends Omit<DialogProps, 'open' | 'onOpenChange'> {
  submitText: string
  pendingText?: string
  isPending: boolean
  /** False while the fields are incomplete. */
  canSubmit?: boolean
  isDestructive?: boolean
  /** Of a second button, which closes the dialog. */
  cancelText?: string
  onSubmit: () => void
  onClose: () => void
}

/** A dialog with a form. It is open while it is rendered, so that each time it starts with empty fields. */
export function FormDialog({
  submitText,
  pendingText,
  isPending,
  canSubmit = true,
  isDestructive = false,
  cancelText,
  onSubmit,
  onClose,
  children,
  ...dialog
}: FormDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} {...dialog}>
      <Form noValidate onSubmit={onSubmit}>
        {children}
        <div className="flex flex-wrap gap-3">
          <SubmitButton
            disabled={!canSubmit}
            pending={isPending}
            pendingText={pendingText}
            {...(isDestructive && {
              variant: 'outline',
              className: 'enabled:border-danger! enabled:text-danger!',
            })}
          >
            {submitText}
          </SubmitButton>
          {cancelText && (
            <Button variant="bare" onClick={onClose}>
              {cancelText}
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  )
}
