#include "devices/serve/known_usb.h"

const struct usb_known known_usb[KNOWN_USB_COUNT] = {
    {0x1209, 0x0001, "shuffler"},
    {0x1209, 0x0002, "shoe"},
    {0x1209, 0x0003, "terminal"},
};
